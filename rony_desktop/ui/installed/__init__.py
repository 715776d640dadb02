"""Models of this computer: using, checking, adding and deleting them."""
