"""Which tests are shown for a change, and how they are described."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judges.test_offline import answer_question

CALLBACKS = """
//- src/option.js
class Option {
  addChoice(choice) { this.choices.push(choice); }
}
module.exports = { Option };
//- tests/choices.test.js
const { Option } = require('../src/option');
describe('choices', () => {
  it('adds one', () => {
    const option = new Option();
    option.addChoice('red');
  });
});
"""
MEMBER = """
//- clock/clock.py
class Clock:
    def wind(self):
        self._turn_the_key()

    def _turn_the_key(self):
        self.turns = 1
//- tests/test_winding.py
from clock.clock import Clock

def test_winding():
    assert Clock()
"""
HELPER = """
//- clock/clock.py
def wind(clock):
    turn_the_key(clock)

def turn_the_key(clock):
    clock.turns = 1
//- tests/test_winding.py
from clock.clock import wind

def test_winding():
    wind(None)
"""
OVERRIDDEN = """
//- clock/clock.py
class Clock:
    def turn_the_key(self): ...
//- clock/tower.py
from clock.clock import Clock

class _Tower(Clock):
    def turn_the_key(self):
        self.turns = 1
//- tests/test_winding.py
from clock.clock import Clock

def test_winding(clock: Clock):
    clock.turn_the_key()
"""
NAMED = """
//- clock/keys/turning.py
def turn_the_key(clock):
    clock.turns = 1
//- tests/keys/test_turning.py
import subprocess

def test_all():
    subprocess.run("clock")
//- tests/locks/test_turning.py
def test_nothing(): ...
//- tests/test_turning_back.py
def test_back(): ...
"""
TWICE = NAMED.replace("clock/keys/turning.py", "turning.py")
OTHER = """
//- clock/clock.py
def turn_the_key(clock):
    clock.turns = 1
//- clock/other.py
def turn_another_key(clock):
    clock.turns = 2
//- tests/test_winding.py
from clock.other import turn_another_key

def test_winding():
    turn_another_key(None)
"""
RECEIVER = """
//- src/Sinks.cs
static class Sinks { public static void TurnTheKey(object a, object b) { } }
//- src/Filters.cs
static class Filters { public static void Open(object key) { } }
//- tests/SinkTests.cs
class SinkTests {
    // Sinks
    void Turns() { Filters.TurnTheKey(null); }
}
"""
FIXTURE = HELPER.replace("tests/test_winding.py", "tests/fixtures/test_winding.py")
EXAMPLE = HELPER.replace("tests/test_winding.py", "examples/clock/testing/winding.py")
OUTER = """
//- lib/clocks.ex
defmodule Clocks do
  def wind(a), do: a
end
//- lib/clocks/tower.ex
defmodule Clocks.Tower do
  def turn_the_key(a), do: a
end
//- test/winding_test.exs
defmodule WindingTest do
  test "winding" do
    Clocks.wind(1)
    Clocks
  end
end
"""


@pytest.mark.parametrize(
    ("fixture", "name", "expected"),
    [
        (CALLBACKS, "addChoice", ["a test that uses `Option.addChoice`: `choices.test.js`"]),
        (MEMBER, "_turn_the_key", ["a test that uses `Clock`: `test_winding`"]),
        (HELPER, "turn_the_key", ["a test that uses `wind`, which uses this: `test_winding`"]),
        (
            OVERRIDDEN,
            "_Tower.turn_the_key",
            ["a test that uses `Clock.turn_the_key`, which this overrides: `test_winding`"],
        ),
        (FIXTURE, "turn_the_key", []),
        (EXAMPLE, "turn_the_key", []),
        (OUTER, "turn_the_key", []),
        (NAMED, "turn_the_key", ["a test named after `turning`"]),
        (TWICE, "turn_the_key", []),
        (OTHER, "turn_the_key", []),
        (RECEIVER, "TurnTheKey", []),
    ],
)
async def test_purpose_says_how_a_test_covers_the_change(
    tmp_path: Path, fixture: str, name: str, expected: list[str]
):
    question = f"{name}: turn the key and add a choice"
    report = await answer_question(tmp_path, fixture, question, "edit")
    assert name.rpartition(".")[2] in report.links[0].fact
    purposes = [each.purpose for each in report.read_targets if each.purpose.startswith("a test")]
    assert purposes == expected


async def test_tests_of_several_files_come_before_more_of_one(tmp_path: Path):
    """The test named after the changed definition is among them, although no edge joins the two."""
    tests = "".join(
        f"//- tests/test_{name}.py\nfrom clock.key import turn_key\n\n"
        f"def test_a():\n    turn_key(1)\n\n\ndef test_b():\n    turn_key(2)\n"
        for name in ("first", "second", "third")
    )
    fixture = f"//- clock/key.py\ndef turn_key(clock): ...\n{tests}//- tests/test_key.py\nx = 1\n"
    report = await answer_question(tmp_path, fixture, "turn_key: turn the key", "edit")
    covering = [each.path for each in report.read_targets if each.purpose.startswith("a test")]
    assert covering == ["tests/test_first.py", "tests/test_second.py", "tests/test_key.py"]


async def test_test_whose_title_matches_the_question_comes_first(tmp_path: Path):
    tests = "".join(
        f"//- tests/key.{name}.test.js\nconst {{ Key }} = require('../src/key');\n"
        f"test('{name}', () => {{ new Key().turnKey(); }});\n"
        for name in ("broken", "copied", "lost", "rusty", "stolen")
    )
    fixture = (
        f"//- src/key.js\nclass Key {{ turnKey() {{}} }}\nmodule.exports = {{ Key }};\n{tests}"
    )
    report = await answer_question(tmp_path, fixture, "turnKey: why is a rusty key turned", "edit")
    covering = [each.path for each in report.read_targets if each.purpose.startswith("a test")]
    assert covering[0] == "tests/key.rusty.test.js"


async def test_shown_tests_do_not_overlap(tmp_path: Path):
    """The caller of a test file's callbacks is the file itself, which is shown around each call."""
    calls = "".join(f"test('{at}', () => {{ turnKey({at}); }});\n" for at in range(90))
    others = "".join(f"//- src/other{at}.js\nfunction other{at}() {{}}\n" for at in range(4))
    fixture = f"""
{others}//- src/key.js
function turnKey(key) {{}}
module.exports = {{ turnKey }};
//- tests/key.test.js
const {{ turnKey }} = require('../src/key');
{calls}
"""
    report = await answer_question(tmp_path, fixture, "turnKey: turn the key", "edit")
    shown = [each.range for each in report.read_targets if each.purpose.startswith("a test")]
    assert len(shown) > 1
    assert not any(
        one.overlaps(other) for at, one in enumerate(shown) for other in shown[:at] if one and other
    )
