"""Sets of annotated photographs."""
