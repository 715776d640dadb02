"""The plan of a launch: what it takes, what the user may change, and why it is as it is."""
