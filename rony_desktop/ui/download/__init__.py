"""Models on their way to this computer: the page of them, and their place in the status bar."""
