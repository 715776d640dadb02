"""Builds of the engine: which one is used, and getting another."""
