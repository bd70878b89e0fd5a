"""The examples on the library page run verbatim and print what they promise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
EXAMPLES = re.findall(
    r"```python\n(.*?)```", (REPOSITORY / "docs/library.md").read_text(encoding="utf-8"), re.DOTALL
)
PRINTED = (
    ("shop/services/checkout.py", "## explore_code report"),
    ("[retrieve]", "shop/refunds.py", "refund(order)"),
    ("shop/handlers/checkout.py:", "shop/"),
)


def test_library_page_has_three_examples():
    assert len(EXAMPLES) == len(PRINTED)


@pytest.mark.parametrize("number", range(len(PRINTED)))
def test_example_runs_and_prints_what_it_promises(number: int, tmp_path: Path):
    script = tmp_path / "example.py"
    script.write_text(EXAMPLES[number], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=REPOSITORY,
        env={
            **os.environ,
            "PYTHONPATH": str(REPOSITORY),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
            "PYTHONIOENCODING": "utf-8",
        },
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    for expected in PRINTED[number]:
        assert expected in done.stdout
