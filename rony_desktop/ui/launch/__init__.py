"""Explain my launch: every flag with its reason, and what the engine really took."""
