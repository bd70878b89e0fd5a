"""Reads the tracker's encoding: deltas of 1e-5 degrees, zigzag, base 32, continuation bit."""

from __future__ import annotations

from math import asin, cos, radians, sin, sqrt

EARTH_METRES = 6_371_000
Point = tuple[float, float]


def decode(encoded: str) -> list[Point]:
    numbers = list(_numbers(encoded))
    if len(numbers) % 2:
        raise ValueError("the track is cut off")
    points: list[Point] = []
    latitude = longitude = 0
    for i in range(0, len(numbers), 2):
        latitude += numbers[i]
        longitude += numbers[i + 1]
        points.append((latitude / 1e5, longitude / 1e5))
    return points


def _numbers(encoded: str):
    value = shift = 0
    for character in encoded:
        bits = ord(character) - 63
        value |= (bits & 0x1F) << shift
        shift += 5
        if bits < 0x20:
            yield ~(value >> 1) if value & 1 else value >> 1
            value = shift = 0


def length(points: list[Point]) -> float:
    """Metres along the great circles between neighbours."""
    return sum(_distance(a, b) for a, b in zip(points, points[1:]))


def _distance(a: Point, b: Point) -> float:
    north, east = radians(b[0] - a[0]), radians(b[1] - a[1])
    h = sin(north / 2) ** 2 + cos(radians(a[0])) * cos(radians(b[0])) * sin(east / 2) ** 2
    return 2 * EARTH_METRES * asin(sqrt(h))
