"""What a throw is worth: poses, rules, games, the event log.

The core needs only the standard library.
"""
