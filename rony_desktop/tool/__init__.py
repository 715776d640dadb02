"""What the agent can do, and every gate before it does it."""
