"""``python -m tests.bench.javac [CLASSPATH]``: serves what ``javac`` (17 or later) resolves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.bench.compiler_server import serve

_EXPORTS = [
    argument
    for package in ("code", "tree", "util")
    for argument in ("--add-exports", f"jdk.compiler/com.sun.tools.javac.{package}=ALL-UNNAMED")
]
_PROGRAM = Path(__file__).with_name("Uses.java")


def _compile(root: Path) -> str:
    command = ["java", *_EXPORTS, "-Xss64m", str(_PROGRAM), str(root), *sys.argv[1:2]]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


serve("javac", _compile)
