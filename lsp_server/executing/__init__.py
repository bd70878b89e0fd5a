"""Shared by the commands of the server: how they are executed, and their results."""
