"""Processes that parse files, and the protocol they speak."""
