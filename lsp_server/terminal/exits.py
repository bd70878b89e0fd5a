"""Exit codes of commands, and the error that they report to the user."""

ANSWERED = 0
NOTHING_FOUND = 1
PROBLEMS_FOUND = 1
"""``doctor`` found something that needs fixing."""
BAD_INPUT = 2
FAULT = 70
"""An internal error of Sightline; the number is EX_SOFTWARE of sysexits.h."""
INTERRUPTED = 130
"""128 + SIGINT, as shells report it."""
PIPE_CLOSED = 141
"""128 + SIGPIPE: the reader of the output closed the pipe."""


class UserError(Exception):
    """An error that the user can fix; the message is one sentence."""
