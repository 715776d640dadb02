"""A first model for this computer, step by step."""
