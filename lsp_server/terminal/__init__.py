"""Shared by the commands of the command line: arguments, the terminal, exit codes."""
