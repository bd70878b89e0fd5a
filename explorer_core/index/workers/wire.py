"""Messages between the index and its worker processes: a 4-byte length, then MessagePack."""

from __future__ import annotations

import struct
from typing import BinaryIO

import msgspec

from explorer_core.index.storage.record import BlockRow, FileRecord

_LENGTH = struct.Struct("<I")


class Task(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A file to analyse, and the number of its row."""

    path: str
    text: str
    digest: str
    number: int = 0


class Prepare(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Announces the languages of the files to come."""

    languages: tuple[str, ...]


class Finish(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Requests the blocks of a segment with all files since the last one."""


Order = Task | Prepare | Finish
FINISH = Finish()
Blocks = tuple[BlockRow, ...]

_encoder = msgspec.msgpack.Encoder()
_order_decoder: msgspec.msgpack.Decoder[Order] = msgspec.msgpack.Decoder(Order)
_record_decoder = msgspec.msgpack.Decoder(FileRecord)
_block_decoder = msgspec.msgpack.Decoder(Blocks)


def send(stream: BinaryIO, message: Order | FileRecord | Blocks) -> None:
    """Write one message and flush."""
    data = _encoder.encode(message)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def receive_order(stream: BinaryIO) -> Order | None:
    """The next order; None at the end of the stream."""
    data = _receive_bytes(stream)
    return None if data is None else _order_decoder.decode(data)


def receive_record(stream: BinaryIO) -> FileRecord | None:
    """The next record; None at the end of the stream."""
    data = _receive_bytes(stream)
    return None if data is None else _record_decoder.decode(data)


def receive_blocks(stream: BinaryIO) -> Blocks | None:
    """The blocks of a segment; None at the end of the stream."""
    data = _receive_bytes(stream)
    return None if data is None else _block_decoder.decode(data)


def _receive_bytes(stream: BinaryIO) -> bytes | None:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None
