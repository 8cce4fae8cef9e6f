"""One file a command of the `sooee` program."""
