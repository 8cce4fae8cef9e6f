"""The page: scoreboard, camera, corrections, annotation."""
