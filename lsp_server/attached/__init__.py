"""Lets other processes of the same user call a running language server."""
