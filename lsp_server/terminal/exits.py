"""How a command ends: its exit code, or the error it tells the user."""

ANSWERED = 0
NOTHING_FOUND = 1
UNWELL = 1
"""``doctor`` found something to put right."""
BAD_INPUT = 2
FAULT = 70
"""A fault of Sightline's own; the number is EX_SOFTWARE of sysexits.h."""
INTERRUPTED = 130
"""128 + SIGINT, as shells count."""
PIPE_CLOSED = 141
"""128 + SIGPIPE: whoever read the output went away."""


class UserError(Exception):
    """Something the user can put right; the message is one sentence."""
