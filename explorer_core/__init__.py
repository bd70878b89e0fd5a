"""Sightline's core: questions about a code base, answered with verified flows of exact places."""

__version__ = "0.1.0"
