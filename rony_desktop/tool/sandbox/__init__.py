"""Files under the chosen folders and no others, held by handles the kernel checks."""
