"""Files the program ships: fonts, icons, the list of models; read through importlib.resources."""
