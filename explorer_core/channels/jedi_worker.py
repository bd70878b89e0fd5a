"""The process in which jedi runs: one JSON request per line in, one JSON answer per line out.

Started by path, so it imports nothing of ours. It ends when its input does.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import jedi  # pyright: ignore[reportMissingTypeStubs]

_KINDS = {"module": "module", "class": "class", "function": "function", "property": "property"}


def main() -> None:
    """Answer requests until the input ends."""
    jedi.settings.auto_import_modules = []  # it would import, that is run, what it looks at
    with suppress(AttributeError, OSError):
        os.nice(5)
    # jedi and what it imports may print; only answers belong on the real standard output.
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


def _definitions(request: dict[str, Any], projects: dict[str, Any]) -> list[dict[str, Any]]:
    root = request["root"]
    if root not in projects:
        # Of the workspace itself no compiled module is loaded: that would run its code.
        projects[root] = jedi.Project(root, load_unsafe_extensions=False)
    script: Any = jedi.Script(
        request["text"],
        path=Path(request["path"]),
        project=projects[root],
        environment=jedi.InterpreterEnvironment(),
    )
    names: list[Any] = script.goto(
        request["line"], request["column"], follow_imports=True, follow_builtin_imports=False
    )
    return [_described(name) for name in names if name.module_path is not None]


def _described(name: Any) -> dict[str, Any]:
    start, end = name.get_definition_start_position(), name.get_definition_end_position()
    line = name.line or 1
    kind = _KINDS.get(name.type, "variable")
    module, qualified = name.module_name, name.full_name or name.name
    with suppress(AttributeError, NotImplementedError):
        if kind == "function" and name.parent().type == "class":
            kind = "method"
    return {
        "path": str(name.module_path),
        "start": min(start[0] if start else line, line),
        "end": max(end[0] if end else line, line),
        "line": line,
        "name": name.name,
        "qualified_name": qualified.removeprefix(f"{module}."),
        "kind": kind,
    }


if __name__ == "__main__":
    main()
