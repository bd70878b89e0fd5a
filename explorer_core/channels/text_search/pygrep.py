"""A stand-in for ripgrep: a separate program that needs only the standard library.

It understands the flags that `explorer_core.channels.text_search.ripgrep` passes and prints the
same JSON messages, so that no other code has to know which of the two runs. It runs as a process of
its own because a regular expression can take forever, and only a process can be killed.
"""

from __future__ import annotations

import argparse
import base64
import codecs
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_SNIFFED = 8192


def main() -> int:
    """Returns the exit code, like ripgrep's: 0 found, 1 not found, 2 invalid pattern."""
    arguments = _parse()
    # Before Python 3.13, argparse takes the value "--" for the end of the options.
    patterns = ["--" if each == [] else each for each in arguments.regexp]
    source = "|".join(
        re.escape(pattern) if arguments.fixed_strings else f"(?:{pattern})" for pattern in patterns
    )
    try:
        for pattern in () if arguments.fixed_strings else patterns:
            re.compile(pattern)
        expression = re.compile(source, re.IGNORECASE if arguments.ignore_case else 0)
    except (re.error, OverflowError, RecursionError):
        return 2
    found = False
    for path in arguments.paths:
        for message in _search(path, expression, arguments):
            found = True
            sys.stdout.write(json.dumps(message, separators=(",", ":")) + "\n")
    sys.stdout.flush()
    return 0 if found else 1


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--no-config", action="store_true")
    parser.add_argument("--no-messages", action="store_true")
    parser.add_argument("--crlf", action="store_true")
    parser.add_argument("--fixed-strings", action="store_true")
    parser.add_argument("--ignore-case", action="store_true")
    parser.add_argument("--case-sensitive", action="store_true")
    parser.add_argument("--max-count", type=int, default=sys.maxsize)
    parser.add_argument("--regexp", action="append", required=True)
    parser.add_argument("paths", nargs="+")
    return parser.parse_args()


def _search(
    path: str, expression: re.Pattern[str], arguments: argparse.Namespace
) -> Iterable[dict[str, Any]]:
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError:
        return
    text = _decoded(data)
    if "\0" in text[:_SNIFFED] or (arguments.fixed_strings and not expression.search(text)):
        return
    left = arguments.max_count
    for number, line in enumerate(text.split("\n"), start=1):
        matched = [match[0] for match in expression.finditer(line.removesuffix("\r"))]
        if matched:
            yield _message(path, number, line, matched)
            left -= 1
            if not left:
                break
    yield {"type": "end", "data": {"path": _spelled(path), "binary_offset": None}}


def _message(path: str, number: int, line: str, matched: list[str]) -> dict[str, Any]:
    data = {
        "path": _spelled(path),
        "lines": _spelled(line),
        "line_number": number,
        "submatches": [{"match": _spelled(text)} for text in matched],
    }
    return {"type": "match", "data": data}


def _decoded(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")


def _spelled(text: str) -> dict[str, str]:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raw = text.encode("utf-8", "surrogateescape")
        return {"bytes": base64.b64encode(raw).decode("ascii")}
    return {"text": text}


if __name__ == "__main__":
    sys.exit(main())
