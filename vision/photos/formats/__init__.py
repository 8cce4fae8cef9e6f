"""One file a format of labelled pictures, each with `write` and `read`."""
