"""The model in use: its state, and the choice of another."""
