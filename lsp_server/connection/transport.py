"""Reads and writes messages over standard streams and TCP.

A client that is slow to read must not block the event loop, and a pending read must not keep the
process from ending. So standard streams are read and written without blocking where the system can
(pipes and sockets, except on Windows), and otherwise on threads of their own. Threads are avoided
where possible, since each one between client and event loop has to wait for the interpreter lock.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import queue
import stat
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from lsp_server.connection.greeting import greeting
from lsp_server.terminal.arguments import shown_address

if TYPE_CHECKING:
    from lsp_server.connection.dispatch import SightlineProtocol

logger = logging.getLogger(__name__)

MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024
_CHUNK = _LINE_LIMIT_BYTES = 64 * 1024
_LENGTH_DIGITS = 20
_FINISH_LIMIT_S = 5.0


class Writer(Protocol):
    """The output of a connection."""

    def write(self, data: bytes) -> None: ...
    def close(self) -> Any: ...


class Connection(Protocol):
    """A server bound to one client."""

    protocol: SightlineProtocol

    async def close(self) -> None: ...


Connect = Callable[[], Awaitable[Connection]]
"""Loads and creates a server for one client; slow, so the client is greeted first."""


async def serve_stdio(connect: Connect) -> int:
    """Serve the client at the standard streams. Returns the exit code of the process."""
    stdin, stdout = claim_standard_streams()
    reader = await open_reader(stdin)
    writer = await _open_writer(stdout)
    try:
        return await serve_connection(connect, reader, writer)
    finally:
        await writer.finish()


async def serve_tcp(connect: Connect, host: str, port: int, announce: Callable[[str], None]) -> int:
    """Serve every client that connects, each with a server of its own, until cancelled."""

    clients: set[asyncio.Task[Any]] = set()

    async def serve_client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (task := asyncio.current_task()) is not None:
            clients.add(task)
            task.add_done_callback(clients.discard)
        try:
            await serve_connection(connect, reader, writer)
        except asyncio.CancelledError:
            pass  # cancelled below; Python 3.11 would log it as an error
        finally:
            writer.close()

    server = await asyncio.start_server(serve_client, host, port)
    address = server.sockets[0].getsockname()
    announce(f"listening on {shown_address(*address[:2])}")
    try:
        # Not `serve_forever`, which since Python 3.12 ends only once every client has left.
        await asyncio.Event().wait()
    finally:
        server.close()
        for task in clients:
            task.cancel()
        if clients:
            await asyncio.wait(clients)
    return 0


async def serve_connection(connect: Connect, reader: asyncio.StreamReader, writer: Writer) -> int:
    """Handle messages until ``exit`` or the end of the stream. Returns an exit code, 0 after a
    proper shutdown."""
    try:
        first = await _read_body(reader)
        if first is None:
            return 1
        early_answer = greeting(first)
        if early_answer is not None:
            body = json.dumps(early_answer).encode()
            writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        connection = await connect()
        try:
            return await _serve(
                connection.protocol, first, early_answer is not None, reader, writer
            )
        finally:
            await connection.close()
    except (ConnectionError, asyncio.IncompleteReadError):
        logger.info("The client closed the connection.")
        return 1


async def _serve(
    protocol: SightlineProtocol,
    first: bytes,
    is_greeted: bool,
    reader: asyncio.StreamReader,
    writer: Writer,
) -> int:
    protocol.set_writer(writer)
    if is_greeted:
        await protocol.handle_answered_initialize(first)
    else:
        protocol.receive(first)
    while protocol.exit_code is None:
        # A burst of messages is in the buffer already, and reading those never yields to the loop.
        await asyncio.sleep(0)
        body = await _read_body(reader)
        if body is None:
            return 1
        protocol.receive(body)
    return protocol.exit_code


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
            value = value.strip()
            usable = value.isdigit() and len(value) <= _LENGTH_DIGITS
            length = int(value) if usable else None
            if length is None or length > MESSAGE_LIMIT_BYTES:
                logger.error("A message has no usable Content-Length; the connection is closed.")
                return None


async def open_reader(stdin: BinaryIO, limit: int = _LINE_LIMIT_BYTES) -> asyncio.StreamReader:
    """A reader of a standard stream, whose lines may have up to ``limit`` bytes."""
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader(limit)
    if _is_pollable(stdin):
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stdin)
    else:
        threading.Thread(target=_pump, args=(stdin, reader, loop), daemon=True).start()
    return reader


async def _open_writer(stdout: BinaryIO) -> _PipeWriter | ThreadedWriter:
    if not _is_pollable(stdout):
        return ThreadedWriter(stdout)
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(_EndSignal, stdout)
    return _PipeWriter(transport, protocol)


def _is_pollable(stream: BinaryIO) -> bool:
    if sys.platform == "win32":
        return False
    mode = os.fstat(stream.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class _EndSignal(asyncio.BaseProtocol):
    """Signals when everything was written, or the reader is gone."""

    def __init__(self) -> None:
        self.ended = asyncio.get_running_loop().create_future()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


class _PipeWriter:
    """Writes to a pipe from the event loop, buffering in memory what the client has not read."""

    def __init__(self, transport: asyncio.WriteTransport, protocol: _EndSignal) -> None:
        self._transport = transport
        self._protocol = protocol

    def write(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        self._transport.close()

    async def finish(self) -> None:
        """Wait until everything is written, for a few seconds at most."""
        self._transport.close()
        await asyncio.wait({self._protocol.ended}, timeout=_FINISH_LIMIT_S)
        if not self._protocol.ended.done():
            self._transport.abort()


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
        self._queue.put(None)

    async def finish(self) -> None:
        """Wait until everything is written, for a few seconds at most."""
        self.close()
        await asyncio.to_thread(self._thread.join, _FINISH_LIMIT_S)

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
            if data:
                loop.call_soon_threadsafe(reader.feed_data, data)
            else:
                loop.call_soon_threadsafe(reader.feed_eof)
        except RuntimeError:
            return
        if not data:
            return


def claim_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """The client's two streams. The process's own are replaced, so that prints go to the log.

    Worker processes inherit the replaced descriptors, too. A stray print cannot break the protocol.
    """
    stdin = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    stdout = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, sys.stdin.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    os.close(null)
    return stdin, stdout
