"""One file a kind of camera."""
