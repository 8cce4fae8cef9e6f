"""The errors of what the camera sees; the command line prints each as one line."""


class VisionError(Exception):
    """Base of all of them; the message says what happened and what to do."""


class ModelError(VisionError):
    """A model file is missing, truncated, or not the one the manifest names."""


class PictureError(VisionError):
    """A picture cannot be read as one."""


class CaptureError(VisionError):
    """A camera, video or stream cannot be opened or read."""


class RenderError(VisionError):
    """A render cannot be made as asked."""
