"""``sightline mcp``: the server for coding agents, over standard streams or loopback HTTP."""

from __future__ import annotations

import argparse
import asyncio
import io
import logging
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsp_server.commands import common
from lsp_server.terminal.arguments import parse_loopback, shown_address
from lsp_server.terminal.exits import ANSWERED, UserError

if TYPE_CHECKING:
    from mcp.server import MCPServer


HELP = "run the MCP server for coding agents"
_PATH = "/mcp"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    common.add_arguments(parser)
    common.add_model_argument(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--stdio",
        action="store_true",
        help="communicate over standard input and output (the default)",
    )
    what.add_argument(
        "--http",
        metavar="HOST:PORT",
        help="listen on a loopback address; port 0 takes any free one",
    )
    what.add_argument(
        "--instructions", action="store_true", help="print the instructions for agents"
    )
    what.add_argument("--config", metavar="AGENT", help="print the configuration for an agent")


def run(args: argparse.Namespace) -> int:
    """Serve until the client leaves; returns the exit code. Raises `UserError`."""
    from lsp_server.mcp import texts

    if args.instructions:
        print(texts.instructions(), end="")
        return ANSWERED
    if args.config is not None:
        print(_configuration(args), end="")
        return ANSWERED
    try:
        asyncio.run(_serve(args))
    except BaseExceptionGroup as group:
        # The SDK's tasks fail together when the client no longer reads.
        if group.split(BrokenPipeError)[1] is None:
            raise BrokenPipeError from group
        raise
    return ANSWERED


def _configuration(args: argparse.Namespace) -> str:
    from lsp_server.mcp import texts

    arguments = ["mcp"]
    for folder in args.workspace or ():
        # ``~`` is expanded when the folder is opened.
        absolute = folder if folder.startswith("~") else str(Path(folder).absolute())
        arguments += ["--workspace", absolute]
    for assignment in args.settings:
        arguments += ["--set", assignment]
    if args.model:
        arguments += ["--model", args.model]
    try:
        return texts.configuration(args.config, _program(common.folders(args)), arguments)
    except KeyError:
        known = ", ".join(texts.agents())
        raise UserError(f"Unknown agent {args.config}; the agents are {known}.") from None


def _program(folders: Sequence[str]) -> str:
    """The full path of this program, if it is known: an agent started from a desktop does not have
    the search path of this shell."""
    from explorer_core.workspace.programs import find_program
    from lsp_server.workspace.opening import real_path

    program = Path(sys.argv[0])
    if program.stem == "sightline" and program.is_file():
        return str(program.absolute())
    return find_program("sightline", map(real_path, folders)) or "sightline"


async def _serve(args: argparse.Namespace) -> None:
    from lsp_server.mcp.server import build
    from lsp_server.mcp.workspaces import Workspaces
    from lsp_server.terminal.console import warning_handler

    # Without a handler the SDK installs one that frames and wraps lines as for a terminal.
    logging.basicConfig(level=logging.WARNING, handlers=[warning_handler()])
    workspaces = Workspaces(
        common.folders(args), common.flags(args), confined=args.http is not None
    )
    server = build(workspaces)
    try:
        if args.http is None:
            await _serve_stdio(server)
        else:
            await _serve_http(server, args.http)
    finally:
        await workspaces.close()


async def _serve_stdio(server: MCPServer[Any]) -> None:
    """Serve the client at the standard streams.

    The SDK would read them on a thread that cannot be interrupted and would keep the process from
    ending. So we read them ourselves.
    """
    import anyio
    from mcp.server.stdio import stdio_server
    from mcp.shared.message import SessionMessage

    from lsp_server.connection.transport import (
        MESSAGE_LIMIT_BYTES,
        claim_standard_streams,
        open_reader,
    )
    from lsp_server.mcp.lines import Messages

    stdin, stdout = claim_standard_streams()
    messages = Messages(await open_reader(stdin, limit=MESSAGE_LIMIT_BYTES))
    writer = anyio.wrap_file(io.TextIOWrapper(stdout, encoding="utf-8", newline="\n"))
    lowlevel = server._lowlevel_server  # pyright: ignore[reportPrivateUsage]
    async with stdio_server(cast("Any", messages), writer) as (incoming, outgoing):
        messages.refuse_by(lambda refusal: outgoing.send(SessionMessage(refusal)))
        await lowlevel.run(incoming, outgoing, lowlevel.create_initialization_options())


async def _serve_http(server: MCPServer[Any], address: str) -> None:
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    listener = _open_socket(address)
    with listener:
        host, port = listener.getsockname()[:2]
        shown = shown_address(host, port)
        # No page in the user's browser may reach the server, whatever its host name resolves to.
        names = [shown, f"localhost:{port}"]
        security = TransportSecuritySettings(
            allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
        )
        app = server.streamable_http_app(
            streamable_http_path=_PATH, host=host, transport_security=security
        )
        print(f"sightline: listening on http://{shown}{_PATH}", file=sys.stderr, flush=True)
        config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=3)
        await uvicorn.Server(config).serve(sockets=[listener])


def _open_socket(address: str) -> socket.socket:
    """A socket on a loopback address. Raises `UserError`."""
    host, port = parse_loopback("--http", address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise UserError(f"cannot listen on {address}: {error.strerror or error}.") from error
    listener.listen()  # before the address is announced: a client may be quick
    return listener
