"""Use cases and the composition root: the only place that knows two siblings at once."""
