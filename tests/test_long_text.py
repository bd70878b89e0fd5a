"""Text on which a regular expression could run forever, and block the whole process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixture import parse

ROOT = Path(__file__).parent.parent
TIMEOUT_S = 100
"""Many times what each of these takes on the slowest machine. Backtracking would take hours."""

SCRIPTS = {
    "line_suffix": (
        "from explorer_core.registry import Registry\n"
        "from explorer_core.validation.references import ObservedNames, unobserved_references\n"
        "unobserved_references('a' + ':1' * 60 + 'x', ObservedNames(Registry()))"
    ),
    "line_number": (
        "from explorer_core.registry import Registry\n"
        "from explorer_core.validation.references import ObservedNames, unobserved_references\n"
        "names = ObservedNames(Registry())\n"
        "for text in ('line ' + '1' * 5000, 'a.py:' + '1' * 5000):\n"
        "    assert unobserved_references(text, names)"
    ),
    "scheme": (
        "from explorer_core.credentials import masked\nmasked('data = ' + 'deadbeef' * 250_000)"
    ),
    "web_token": "from explorer_core.credentials import masked\nmasked('eyJ-' * 400_000)",
    "go_mod": (
        "from explorer_core.channels.packages.manifest_formats import go_mod\n"
        "list(go_mod('\\n' * 1_000_000))\nlist(go_mod('a.' * 400_000))"
    ),
    "gem_file": (
        "from explorer_core.channels.packages.manifest_formats import gem_file\n"
        "list(gem_file('\\n' * 1_000_000))"
    ),
    "cmake": (
        "from explorer_core.channels.packages.manifest_formats import cmake\n"
        "list(cmake('\\n' * 1_000_000))\nlist(cmake('FetchContent_Declare(a ' * 60_000))"
    ),
    "fence": (
        "from explorer_core.channels.question.query import understand\nunderstand('~' * 20_000)\n"
        "understand('~~~' + 'a' * 20_000)"
    ),
    "scope": (
        "from explorer_core.workspace.globs import in_scope\n"
        "assert not in_scope('a' * 200, ['*a' * 30 + 'b'])\n"
        "assert not in_scope('a/' * 100, ['**/a/' * 30 + 'b'])"
    ),
}
"""Each function with the text that would make it slow."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_long_text_does_not_cause_backtracking(name: str) -> None:
    subprocess.run([sys.executable, "-c", SCRIPTS[name]], check=True, timeout=TIMEOUT_S, cwd=ROOT)


def test_ignore_rules_with_many_stars_end(tmp_path: Path) -> None:
    files = f"//- .gitignore\n{'*a' * 30}b\n{'**/a/' * 30}b\n//- {'a' * 200}\nx\n//- a/a/a/a/b\nx\n"
    folder = parse(files).write(tmp_path)
    code = (
        "import sys\nfrom explorer_core.workspace import Workspace\n"
        "assert len(Workspace.open(sys.argv[1]).files()) == 3"
    )
    command = [sys.executable, "-c", code, str(folder)]
    subprocess.run(command, check=True, timeout=TIMEOUT_S, cwd=ROOT)
