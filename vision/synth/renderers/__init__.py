"""One file a renderer."""
