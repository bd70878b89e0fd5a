"""The same question about the same files has the same evidence in the same order, digit by digit.

Otherwise cache entries keyed by that evidence would be lost.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SAMPLE = Path(__file__).parents[2] / "samples" / "webshop"


def evidence_in_a_process(seed: int) -> dict[str, list[str]]:
    """The evidence in another process, with its own hash seed and thus its own order of sets."""
    process = subprocess.run(
        [sys.executable, "-m", "tests.cache.evidence", str(SAMPLE), str(seed)],
        env=os.environ | {"PYTHONHASHSEED": str(seed)},
        capture_output=True,
        check=True,
        timeout=120,
    )
    return json.loads(process.stdout)


def test_evidence_is_the_same_in_every_process_and_after_any_history():
    first, second = evidence_in_a_process(1), evidence_in_a_process(2)
    assert all(len(found) > 10 for found in first.values())
    for query, found in first.items():
        assert found == second[query], query
