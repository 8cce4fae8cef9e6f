"""Simulated pigs: shape, physics, scenes, renders."""
