"""Local models: know the file, know the machine, choose the launch."""
