"""``sightline serve``: the language server, over standard streams or TCP."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lsp_server import garbage
from lsp_server.terminal.arguments import parse_loopback
from lsp_server.terminal.console import OneLine
from lsp_server.terminal.exits import UserError

if TYPE_CHECKING:
    from lsp_server.connection.transport import Connection

_SWITCH_S = 0.0005

HELP = "run the language server"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--stdio",
        action="store_true",
        help="communicate over standard input and output (the default)",
    )
    where.add_argument(
        "--tcp", metavar="HOST:PORT", help="listen on a loopback address; port 0 takes any free one"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until the client leaves; returns the exit code. Raises `UserError`."""
    _log_to_stderr()
    # Explorations run on threads. A short switch interval keeps an editor's requests from waiting.
    sys.setswitchinterval(_SWITCH_S)
    from lsp_server.connection import transport

    if args.tcp is None:
        return asyncio.run(_until_terminated(transport.serve_stdio(_connect)))
    host, port = parse_loopback("--tcp", args.tcp)
    try:
        serving = transport.serve_tcp(_connect, host, port, _announce)
        return asyncio.run(_until_terminated(serving))
    except OSError as error:
        # The event loop's own text repeats the address.
        why = os.strerror(error.errno) if error.errno else error
        raise UserError(f"cannot listen on {args.tcp}: {why}.") from error


async def _until_terminated(serving: Coroutine[Any, Any, int]) -> int:
    """Serve until done. On SIGTERM, end everything that was started before the process ends."""
    task = asyncio.ensure_future(serving)
    if sys.platform == "win32":
        return await task
    loop, terminated = asyncio.get_running_loop(), False

    def terminate() -> None:
        nonlocal terminated
        terminated = True
        loop.remove_signal_handler(signal.SIGTERM)  # a second signal ends the process at once
        task.cancel()

    loop.add_signal_handler(signal.SIGTERM, terminate)
    try:
        return await task
    finally:
        if terminated:
            # The parent process should see that it was ended by the signal.
            signal.raise_signal(signal.SIGTERM)


async def _connect() -> Connection:
    # Loading the protocol's types takes longer than the event loop may be blocked.
    return (await asyncio.to_thread(_load)).SightlineServer()


def _load() -> ModuleType:
    is_loaded = "lsp_server.server" in sys.modules
    server = importlib.import_module("lsp_server.server")
    if not is_loaded:
        garbage.take_over()
    return server


def _announce(message: str) -> None:
    print(f"sightline: {message}", file=sys.stderr, flush=True)


def _log_to_stderr() -> None:
    debug = bool(os.environ.get("SIGHTLINE_DEBUG"))
    handler = logging.StreamHandler()
    pattern = "%(levelname)s %(name)s: %(message)s"
    handler.setFormatter(logging.Formatter(pattern) if debug else OneLine(pattern))
    logging.basicConfig(level=logging.DEBUG if debug else logging.WARNING, handlers=[handler])
    if not debug:
        # pygls logs every error response with a traceback; the client gets its message anyway.
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
