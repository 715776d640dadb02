"""llama-server as a child; knows nothing of agents or widgets."""
