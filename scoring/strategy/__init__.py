"""When to throw again and when to bank: exact for two players, honest about more.

These modules need numpy; nothing else of `scoring` imports them.
"""
