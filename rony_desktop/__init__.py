"""Rony Desktop: a private, local-first AI assistant."""

__version__ = "0.1.0"
