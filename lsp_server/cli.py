"""The command line: the argument parser, dispatch to the commands, and top-level error handling.

There are few imports here, and commands import late: `sightline --version` should not load a
source parser.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from explorer_core import __version__
from explorer_core.errors import ExploreError, StoreDamagedError
from lsp_server.terminal.exits import BAD_INPUT, FAULT, INTERRUPTED, PIPE_CLOSED, UserError

COMMANDS = (
    "explore",
    "survey",
    "serve",
    "mcp",
    "symbols",
    "refs",
    "callers",
    "callees",
    "index",
    "status",
    "cache",
    "doctor",
)
"""Each is a module of `lsp_server.commands` with ``HELP``, ``add_arguments(parser)`` and
``run(args)``."""


_GC_THRESHOLDS = (50_000, 20, 20)
"""Thresholds of garbage collection: objects between collections, and collections between deeper
ones. The graph of a large repository has a million objects; a full collection stops every thread
for a tenth of a second."""

_LIBRARY_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYDANTIC_DISABLE_PLUGINS": "__all__"}
"""Environment variables that are set unless the user has set them. numpy starts no threads, since
the matrices here are small. pydantic does not search all installed packages for plugins."""


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    gc.set_threshold(*_GC_THRESHOLDS)
    for name, value in _LIBRARY_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    code = _run_reporting_errors(lambda: run(sys.argv[1:] if argv is None else argv))
    gc.freeze()  # spares the interpreter a full collection at exit
    sys.exit(code)


def run(argv: Sequence[str]) -> int:
    """Parse and run; returns the exit code. Raises `UserError`."""
    args, unknown = build_parser(argv).parse_known_args(argv)
    if unknown:
        args.refuse(f"unrecognized arguments: {' '.join(unknown)}")
    if args.command is None:
        build_parser(COMMANDS).print_help()
        return BAD_INPUT
    try:
        return args.run(args)
    except StoreDamagedError:
        return args.run(args)  # the damaged store was replaced


def build_parser(wanted: Sequence[str]) -> argparse.ArgumentParser:
    """The parser; only the commands named in ``wanted`` are loaded with their arguments."""
    parser = argparse.ArgumentParser(
        prog="sightline",
        description="Ask a code base a question; get a verified flow of exact places.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"sightline {__version__}")
    parser.set_defaults(refuse=parser.error)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name in COMMANDS:
        module = importlib.import_module(f"lsp_server.commands.{name}")
        command = commands.add_parser(
            name, help=module.HELP, description=module.HELP, allow_abbrev=False
        )
        if name in wanted:
            module.add_arguments(command)
            # An unknown argument is reported with the usage of its command.
            command.set_defaults(run=module.run, refuse=command.error)
    return parser


def _run_reporting_errors(command: Callable[[], int]) -> int:
    """Run ``command`` and report any error in one sentence. SIGHTLINE_DEBUG=1 shows tracebacks."""
    from lsp_server.terminal.console import prepare_streams, print_warnings

    prepare_streams()
    print_warnings()
    try:
        code = command()
        sys.stdout.flush()
        return code
    except (UserError, ExploreError) as error:
        _print_message(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except Exception as error:
        if (reason := _output_error()) is not None:
            _discard_output()
            _print_message(f"standard output cannot be written: {reason}.")
            return BAD_INPUT
        if os.environ.get("SIGHTLINE_DEBUG"):
            raise
        _print_message(
            f"something went wrong inside Sightline ({type(error).__name__}: {error});"
            " run again with SIGHTLINE_DEBUG=1 for the details."
        )
        return FAULT


def _print_message(message: str) -> None:
    print(f"sightline: {' '.join(message.split())}", file=sys.stderr)


def _output_error() -> str | None:
    """Why standard output cannot be written, None if it can: flushing fails again if it failed."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return error.strerror or str(error)
    return None


def _discard_output() -> None:
    """Keep the interpreter from failing once more, when it flushes standard output at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
