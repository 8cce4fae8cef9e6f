"""What the camera sees: from a frame of the table to a logged throw."""
