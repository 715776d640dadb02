"""Personas that come with the program, one YAML file each."""
