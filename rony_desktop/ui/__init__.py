"""The window; the only place where Qt exists."""
