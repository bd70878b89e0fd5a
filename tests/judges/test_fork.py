"""Flows that fork at the only function that leads to both of the two best places."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judges.test_offline import answer_question

MILL = """
//- mill/day.py
from mill.dust import Bellows, blow
from mill.grain import grind

{callers}
//- mill/grain.py
from mill.crank import start

def grind(sack):
    \"\"\"Grain is ground by stones.\"\"\"
    start(sack)
//- mill/crank.py
def start(crank):
    crank.moved = True
//- mill/dust.py
def blow(sack):
    \"\"\"Dust is blown from wide floors.\"\"\"
    sack.empty = True

class Bellows:
    def press(self):
        \"\"\"Sparks are pressed through chimneys.\"\"\"
"""
DUST = "How is grain ground by stones, and dust blown from wide floors?"
SPARKS = "How is grain ground by stones, and how are sparks pressed through chimneys?"
OPEN = "def open_mill(sack):\n    work(sack)\n\n"
WORK = "def work(sack):\n    blow(sack)\n    grind(sack)\n\n"
SHOW = "def show(sack):\n    grind(sack)\n    blow(sack)\n\n"
HELP = "def help(sack):\n    grind(sack)\n\n"
SWEEP = "def sweep(sack):\n    blow(sack)\n\n"
PUMP = "def pump(sack):\n    Bellows()\n    grind(sack)\n\n"
TEST = "//- tests/test_mill.py\nfrom mill.dust import blow\nfrom mill.grain import grind\n\n"
GRAIN = [("step", "`grind` calls `start`."), ("effect", "`start` is a function")]


@pytest.mark.parametrize(
    ("question", "callers", "flow"),
    [
        pytest.param(
            DUST,
            SHOW,
            [
                ("entry", "`show` calls `grind`. It also calls `blow`."),
                *GRAIN,
                ("effect", "`blow` is documented"),
            ],
            id="branches follow the order of the calls",
        ),
        pytest.param(
            DUST,
            WORK,
            [
                ("entry", "`work` calls `blow`. It also calls `grind`."),
                ("effect", "`blow` is documented"),
                *GRAIN,
            ],
            id="calls in reverse order",
        ),
        pytest.param(
            DUST,
            OPEN + WORK,
            [
                ("entry", "`open_mill` calls `work`."),
                ("step", "`work` calls `blow`. It also calls `grind`."),
                ("effect", "`blow` is documented"),
                *GRAIN,
            ],
            id="a caller of the fork precedes it",
        ),
        pytest.param(
            DUST,
            HELP + SWEEP + WORK,
            [
                ("entry", "`work` calls `blow`. It also calls `grind`."),
                ("effect", "`blow` is documented"),
                *GRAIN,
            ],
            id="caller of one branch is omitted",
        ),
        pytest.param(
            DUST,
            WORK + TEST + SHOW,
            [
                ("entry", "`work` calls `blow`. It also calls `grind`."),
                ("effect", "`blow` is documented"),
                *GRAIN,
            ],
            id="test that calls both is omitted",
        ),
        pytest.param(
            SPARKS,
            HELP + PUMP,
            [
                ("entry", "`pump` calls `grind`."),
                *GRAIN,
                ("also", "`Bellows.press` is documented"),
            ],
            id="creating the owner type is no call",
        ),
        pytest.param(
            DUST,
            WORK + SHOW,
            [
                ("entry", "`work` calls `grind`."),
                *GRAIN,
                ("also", "`blow` is documented"),
            ],
            id="no fork at several common callers",
        ),
        pytest.param(
            f"{DUST} Who works, and opens the mill?",
            "def open_mill(sack):\n    # The mill opens and works.\n    work_mill(sack)\n\n"
            "def work_mill(sack):\n    # The mill works.\n    grind(sack)\n\n" + SHOW,
            [
                ("entry", "`open_mill` calls `work_mill`."),
                ("step", "`work_mill` calls `grind`."),
                *GRAIN,
                ("also", "`blow` is documented"),
            ],
            id="path with more of the question is kept",
        ),
        pytest.param(
            DUST,
            HELP + SWEEP,
            [
                ("entry", "`help` calls `grind`."),
                *GRAIN,
                ("also", "`blow` is documented"),
            ],
            id="no common caller",
        ),
    ],
)
async def test_flow_forks_at_the_only_common_caller_of_best_two(
    tmp_path: Path, question: str, callers: str, flow: list[tuple[str, str]]
):
    report = await answer_question(tmp_path, MILL.format(callers=callers), question, "explain")
    assert len(report.links) == len(flow), report.links
    for link, (role, fact) in zip(report.links, flow, strict=True):
        assert link.role == role, report.links
        assert link.fact.startswith(fact), report.links


BELL = """
//- src/Bell.java
class Bell {
    /** Bronze is cast for large towers. */
    void cast(int weight) { melt(weight); }
    /** Bronze is cast for small chapels. */
    void cast(String name) { melt(name.length()); }
    void melt(int weight) { this.weight = weight; }
}
//- src/Foundry.java
class Foundry {
    void pour(Bell bell) {
        bell.cast(9);
        bell.cast("Gloriosa");
    }
}
"""


async def test_two_targets_of_one_name_make_no_fork(tmp_path: Path):
    question = "How is bronze cast for large towers and small chapels?"
    report = await answer_question(tmp_path, BELL, question, "explain")
    assert not [link for link in report.links if "It also" in link.fact], report.links


async def test_fact_omits_a_call_outside_the_shown_lines(tmp_path: Path):
    """The step loses nothing else."""
    callers = SHOW.replace("    blow(sack)\n", "    pass\n" * 120 + "    blow(sack)\n")
    report = await answer_question(tmp_path, MILL.format(callers=callers), DUST, "explain")
    assert report.dropped == ()
    assert report.links[0].fact == "`show` calls `grind`."
    assert {"grind", "blow"} <= {link.fact.split("`")[1] for link in report.links}
