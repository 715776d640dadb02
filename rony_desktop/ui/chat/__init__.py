"""The conversation: presenter, transcript, composer."""
