"""Adapters of LLMClient and TokenCounter."""
