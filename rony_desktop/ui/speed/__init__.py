"""The speed of the model in use: measured beside what was predicted, and tuned."""
