"""Sets of annotated photographs: kept, exchanged, split and checked."""
