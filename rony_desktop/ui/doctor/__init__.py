"""The state of this computer: what works, what does not, what helps."""
