"""Tools that come with the program: the chosen folder, stored results, this chat."""
