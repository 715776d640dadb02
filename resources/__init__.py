"""Files the program ships: fonts and icons, read through importlib.resources."""
