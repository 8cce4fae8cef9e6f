"""Frames from a camera, a file or a stream, and when the table lies still."""
