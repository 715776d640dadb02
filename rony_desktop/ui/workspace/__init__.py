"""The folder a chat works in, and whether its own files are trusted."""
