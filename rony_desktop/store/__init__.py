"""Adapters that keep things on disk."""
