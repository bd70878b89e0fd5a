"""Records the calls that a Python program makes within one folder, as ``calls.rb`` does for Ruby.

    CALLS_ROOT=REPO CALLS_OUT=calls.tsv PYTHONPATH=tests/bench/traced python -m pytest REPO

The line of a function is that of its first decorator.
"""

from __future__ import annotations

import atexit
import inspect
import os
import sys
import threading
from pathlib import Path
from types import FrameType

ROOT = os.path.realpath(os.environ["CALLS_ROOT"]) + os.sep
calls: set[tuple[str, ...]] = set()


def record_call(frame: FrameType, event: str, argument: object) -> None:
    """Profile function, which the interpreter calls for each call."""
    code, caller = frame.f_code, frame.f_back
    if event != "call" or caller is None or not code.co_filename.startswith(ROOT):
        return
    if not code.co_flags & inspect.CO_OPTIMIZED:  # not a function, for example a class body
        return
    if caller.f_code.co_filename.startswith(ROOT):
        is_construction = code.co_name == "__init__" and "self" in frame.f_locals
        constructed = type(frame.f_locals["self"]).__name__ if is_construction else ""
        place = (caller.f_code.co_filename, str(caller.f_lineno), code.co_name)
        calls.add((*place, code.co_filename, str(code.co_firstlineno), constructed))


@atexit.register
def write() -> None:
    """Append the recorded calls to the file."""
    sys.setprofile(None)
    with Path(os.environ["CALLS_OUT"]).open("a", encoding="utf-8") as out:
        out.writelines(
            "\t".join(part.removeprefix(ROOT) for part in call) + "\n" for call in sorted(calls)
        )


threading.setprofile(record_call)
sys.setprofile(record_call)
