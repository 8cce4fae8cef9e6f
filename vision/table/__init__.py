"""From scene states and readings to each throw, once, or a question."""
