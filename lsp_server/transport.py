"""Bytes to messages and back: standard streams and TCP.

Reading and writing the standard streams happens on threads of their own, because both block: a
client that is slow to read must not stop the event loop, and a read under way must not keep the
process from ending.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO, Protocol, cast

from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcParseError

from lsp_server.dispatch import SightlineProtocol

logger = logging.getLogger(__name__)

MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024
_CHUNK = 64 * 1024


class Writer(Protocol):
    """What a connection writes to."""

    def write(self, data: bytes) -> None: ...
    def close(self) -> Any: ...


class Connection(Protocol):
    """A server bound to one client."""

    protocol: SightlineProtocol

    async def close(self) -> None: ...


async def serve_stdio(connect: Callable[[], Connection]) -> int:
    """Serve the client at the standard streams; returns the process's exit code."""
    stdin, stdout = _claim_standard_streams()
    reader = asyncio.StreamReader()
    threading.Thread(
        target=_pump, args=(stdin, reader, asyncio.get_running_loop()), daemon=True
    ).start()
    writer = ThreadedWriter(stdout)
    try:
        return await serve_connection(connect(), reader, writer)
    finally:
        await asyncio.to_thread(writer.close)


async def serve_tcp(
    connect: Callable[[], Connection], host: str, port: int, announce: Callable[[str], None]
) -> int:
    """Serve every client that connects, each with a server of its own, until cancelled."""

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve_connection(connect(), reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(client, host, port)
    address = server.sockets[0].getsockname()
    announce(f"listening on {address[0]}:{address[1]}")
    async with server:
        await server.serve_forever()
    return 0


async def serve_connection(
    connection: Connection, reader: asyncio.StreamReader, writer: Writer
) -> int:
    """Handle messages until ``exit`` or the end of the stream; 0 after a proper shutdown."""
    protocol = connection.protocol
    protocol.set_writer(writer)
    try:
        while protocol.exit_code is None:
            body = await _read_body(reader)
            if body is None:
                break
            _handle(protocol, body)
            # A burst of messages is in the buffer already, and reading it never yields.
            await asyncio.sleep(0)
    except (ConnectionError, asyncio.IncompleteReadError):
        logger.info("The client closed the connection.")
    finally:
        await connection.close()
    return 1 if protocol.exit_code is None else protocol.exit_code


def _handle(protocol: SightlineProtocol, body: bytes) -> None:
    try:
        data: Any = json.loads(body)
    except (ValueError, RecursionError):
        protocol.refuse(None, JsonRpcParseError("The message is not JSON."))
        return
    if not isinstance(data, dict) or "jsonrpc" not in data:
        protocol.refuse(None, JsonRpcInvalidRequest("The message is not JSON-RPC 2.0."))
        return
    message = cast("dict[str, Any]", data)
    try:
        structured = protocol.structure_message(message)
        if "method" in message and message.get("id") is not None and not hasattr(structured, "id"):
            raise JsonRpcInvalidRequest(
                f"{message['method']} is a notification; send it without id."
            )
        protocol.handle_message(structured)
    except JsonRpcException as error:
        if "method" in message and message.get("id") is not None:
            protocol.refuse(message["id"], protocol.forbidden(message["method"]) or error)


async def _read_body(reader: asyncio.StreamReader) -> bytes | None:
    """The next message's bytes; None at the end of the stream or when framing is lost."""
    length: int | None = None
    while True:
        try:
            header = await reader.readline()
        except ValueError:
            logger.error("A header line is too long; the connection is closed.")
            return None
        if not header:
            return None
        if not header.strip():
            if length is None:
                continue
            return await reader.readexactly(length)
        name, _, value = header.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value) if value.strip().isdigit() else None
            if length is None or length > MESSAGE_LIMIT_BYTES:
                logger.error("A message has no usable Content-Length; the connection is closed.")
                return None


class ThreadedWriter:
    """Writes to a blocking stream from a thread, in order."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        self._queue.put(data)

    def close(self) -> None:
        """Wait until everything is written, for a few seconds at most."""
        self._queue.put(None)
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._stream.write(data)
                self._stream.flush()
            except (OSError, ValueError):
                return


def _pump(stdin: BinaryIO, reader: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
    while True:
        try:
            data = os.read(stdin.fileno(), _CHUNK)
        except OSError:
            data = b""
        try:
            loop.call_soon_threadsafe(reader.feed_data if data else _feed_eof(reader), data)
        except RuntimeError:
            return
        if not data:
            return


def _feed_eof(reader: asyncio.StreamReader) -> Callable[[bytes], None]:
    return lambda _: reader.feed_eof()


def _claim_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """The client's two streams; whoever prints from now on prints to the log instead.

    Worker processes inherit the replaced descriptors too, so a stray print cannot break the
    protocol.
    """
    stdin = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    stdout = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, sys.stdin.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    os.close(null)
    return stdin, stdout
