"""What the user is asked before something changes, and what was allowed for longer."""
