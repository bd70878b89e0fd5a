"""Lists of numbers as bytes: unsigned, little-endian, 32 bits."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable

NUMBER_BYTES = 4


def pack(numbers: Iterable[int]) -> bytes:
    """The numbers as bytes. Raises OverflowError if one does not fit."""
    packed = array("I", numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def unpack(packed: bytes) -> array[int]:
    """The inverse of `pack`."""
    numbers = array("I", packed)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
