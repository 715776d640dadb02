"""The LLM in a loop: prompt, context, turns, limits."""
