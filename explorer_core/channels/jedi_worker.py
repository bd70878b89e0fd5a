"""The worker process for jedi: one JSON request per input line, one JSON answer per output line.

It is started by path, so it imports nothing of ours. It exits when its input ends.
"""

from __future__ import annotations

import json
import os
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path
from typing import Any

import jedi  # pyright: ignore[reportMissingTypeStubs]
import parso.cache


class _StandardLibrary(jedi.InterpreterEnvironment):
    """An environment with the standard library only. The packages that this program runs with are
    not the workspace's: they could hide it if it is one of them, and jedi would load their compiled
    modules."""

    def get_sys_path(self) -> list[str]:
        return [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]


def main() -> None:
    """Answer requests until the input ends."""
    _keep_in_memory_only()
    jedi.settings.auto_import_modules = []  # jedi would import, that is run, these modules
    with suppress(AttributeError, OSError):
        os.nice(5)
    # jedi and its imports may print; only answers may go to the real standard output.
    answers = sys.stdout
    sys.stdout = sys.stderr
    projects: dict[str, Any] = {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer: dict[str, Any] = {"found": _definitions(request, projects)}
        except Exception as error:  # noqa: BLE001 - jedi raises anything on odd code
            answer = {"error": type(error).__name__}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _keep_in_memory_only() -> None:
    """Disable parso's disk cache, both reading and writing. A killed worker would leave a truncated
    file that no other can read; and the files are pickles, which can contain code."""

    def nothing(*_: Any, **__: Any) -> None:
        return None

    for name in ("_load_from_file_system", "_save_to_file_system", "_remove_cache_and_update_lock"):
        setattr(parso.cache, name, nothing)


def _definitions(request: dict[str, Any], projects: dict[str, Any]) -> list[dict[str, Any]]:
    root = request["root"]
    if root not in projects:
        # Compiled modules of the workspace are not loaded: that would run its code.
        projects[root] = jedi.Project(root, load_unsafe_extensions=False)
    script: Any = jedi.Script(
        request["text"],
        path=Path(request["path"]),
        project=projects[root],
        environment=_StandardLibrary(),
    )
    names: list[Any] = script.goto(
        request["line"], request["column"], follow_imports=True, follow_builtin_imports=False
    )
    return [
        {"path": str(name.module_path), "line": name.line or 1, "name": name.name}
        for name in names
        if name.module_path is not None
    ]


if __name__ == "__main__":
    main()
