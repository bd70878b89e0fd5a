"""Extracts the calls within one folder from an Xdebug trace on standard input.

    php -d xdebug.mode=trace -d xdebug.start_with_request=yes -d xdebug.trace_format=1 ...
    python -m tests.bench.traced.xdebug REPO < trace.xt >> calls.tsv

Writes a line for each: caller's file and line, method name, two empty fields, and its class.
"""

from __future__ import annotations

import re
import sys

_METHOD = re.compile(r"([\w\\]+)(?:->|::)(\w+)")
_ENTRY, _USERS = b"0", b"1"


def main() -> None:
    root = sys.argv[1].rstrip("/") + "/"
    calls: set[tuple[str, ...]] = set()
    for line in sys.stdin.buffer:
        fields = line.split(b"\t", 11)
        if len(fields) < 10 or fields[2] != _ENTRY or fields[6] != _USERS:
            continue
        callee, path, number = (fields[index].decode("utf-8", "replace") for index in (5, 8, 9))
        method = _METHOD.fullmatch(callee)
        if method and path.startswith(root):
            calls.add((path.removeprefix(root), number, method[2], "", "", method[1]))
    sys.stdout.writelines("\t".join(call) + "\n" for call in sorted(calls))


if __name__ == "__main__":
    main()
