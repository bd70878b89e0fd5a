"""In answers about a symptom, a line is quoted together with the condition it depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import ExploreRequest, Intent
from explorer_core.judges.offline.telling.guards import (
    catch_pattern,
    condition_above,
    earlier_exits,
    enclosing_handler,
    enclosing_heads,
    exit_opening_block,
    exit_pattern,
    last_statement,
)
from tests.judges.test_offline import answer_request


@pytest.mark.parametrize(
    ("code", "guard"),
    [
        ("if spool.empty:\n    raise Empty()", 0),
        ("if (spool.empty) {\n  throw empty;", 0),
        ("if (spool.empty)\n{\n  throw empty;", 0),
        ("case EMPTY ->\n    fail()", 0),
        ("\tif spool == nil {\n\t\treturn err", 0),
        ("} else if (spool.empty) {\n  throw empty;", 0),
        ('if (name == "(") {\n  throw empty;', 0),
        # the head has no condition
        ("} else {\n  throw empty;", None),
        ("try:\n    wind()", None),
        ("do\n{\n  wind();", None),
        # the head does not enclose the line
        ("wind(spool)\nraise Empty()", None),
        ("    if spool.empty:\n  raise Empty()", None),
        ("\tif spool.empty:\n    raise Empty()", None),
        ("if spool.empty:\n\n    raise Empty()", None),
        ("raise Empty()", None),
        # the line above is part of a longer expression
        ("raise Empty(\n    spool.name", None),
        ("spool.name,\n    wind(spool)", None),
        ("  spool.full) {\n    throw empty;", None),
    ],
)
def test_condition_of_a_line_is_found_by_layout(code: str, guard: int | None) -> None:
    lines = code.split("\n")
    assert condition_above(lines, len(lines) - 1) == guard


@pytest.mark.parametrize(
    ("language", "code", "exits"),
    [
        ("python", "if spool.empty:\n    raise Empty()\nwind(spool)", [(0, 1)]),
        ("vue", "if (spool.empty)\n{\n  throw empty;\n}\n\nwind(spool);", [(0, 2)]),
        ("ruby", "if spool.empty?\n  warn spool\n  return false\nend\n\nwind spool", [(0, 2)]),
        ("ruby", "return unless spool.full?\nwind spool", [(0, 0)]),
        ("swift", "guard let it = spool else { return }\nwind(it)", [(0, 0)]),
        ("objc", "if (!spool) {\n  @throw empty;\n}\nwind(it)", [(0, 1)]),
        # the nearest first, in all enclosing blocks
        (
            "swift",
            "if a.b {\n  return\n}\nfor c in d {\n  if c.e {\n    return c\n  }\n  wind(c)",
            [(4, 5), (0, 1)],
        ),
        # the exit only affects a block that is already over
        ("python", "for c in d:\n    if c.e:\n        return c\nwind(d)", []),
        ("swift", "if a.b {\n  if a.c {\n    return\n  }\n}\nwind(a)", []),
        ("python", "for c in d:\n    if c.e:\n        continue\n    wind(d)", []),
        # not an exit, or not known to be one
        ("python", "if a.b:\n    a.returned()\nwind(a)", []),
        ("python", "if a.b:\n    say('return')\nwind(a)", []),
        ("java", "if (a.b &&\n    a.c) {\n  return;\n}\nwind(a)", []),
        ("go", "if a.b {\n\traise()\n}\nwind(a)", []),
        (None, "if a.b:\n    return\nwind(a)", []),
    ],
)
def test_earlier_exits_are_found_by_layout(
    language: str | None, code: str, exits: list[tuple[int, int]]
) -> None:
    lines = code.split("\n")
    assert earlier_exits(lines, len(lines) - 1, exit_pattern(language)) == exits


@pytest.mark.parametrize(
    ("code", "below"),
    [
        ("if spool.empty:\n    return 0", 1),
        ("if (spool.empty)\n{\n  throw empty;", 2),
        ("if spool.empty:\n    wind()\n    return 0", None),
        ("wind()\nreturn 0", None),
        ("if spool.empty:", None),
    ],
)
def test_exit_below_a_condition_begins_its_block(code: str, below: int | None) -> None:
    assert exit_opening_block(code.split("\n"), 0, exit_pattern("php")) == below


@pytest.mark.parametrize(
    ("code", "heads"),
    [
        ("if a.b:\n    wind()\n    raise Empty()", [(0, 0)]),
        ("for c in a.d:\n    if c.b:\n\n        raise Empty()", [(1, 1), (0, 0)]),
        # the line continues a statement begun above
        ("if a.b:\n    raise Empty(\n        a.name", [(0, 0)]),
        ("if a.b:\n    text = (\n        first\n        + second", [(0, 0)]),
        # the head spans several lines
        ("if (a.b\n    && a.c)\n{\n    throw empty;", [(0, 2)]),
        ("if (\n  a.b\n) {\n  throw empty;", [(0, 2)]),
        ("if (a.b &&\n    a.c) {\n  throw empty;", [(0, 1)]),
        ("if a.b(c,\n       d):\n    raise Empty()", [(0, 1)]),
        # an `else` branch depends on the first condition
        ("if (a.b) {\n  wind();\n} else {\n  throw empty;", [(0, 0)]),
        ("if (a.b) {\n  wind();\n} else if (a.c) {\n  throw empty;", [(2, 2)]),
        # the head does not enclose the line, or has no condition
        ("if a.b:\n    wind()\nraise Empty()", []),
        ("wind(\n    a.b,\n)\nraise Empty()", []),
        ("try:\n    raise Empty()", []),
        ("#ifdef A_B\n    throw empty;", []),
    ],
)
def test_heads_of_enclosing_blocks(code: str, heads: list[tuple[int, int]]) -> None:
    """The code is put under a definition, whose head does not count."""
    lines = ["wind(a)", *("  " * (line[:1] != "#") + line for line in code.split("\n"))]
    found = enclosing_heads(lines, len(lines) - 1)
    assert [(first - 1, last - 1) for first, last in found] == heads


@pytest.mark.parametrize(
    ("language", "code", "found"),
    [
        ("python", "try:\n    wind()\nexcept Empty:\n    fail()", (2, [1])),
        ("java", "try {\n  wind();\n} catch (Empty e) {\n  fail();", (2, [1])),
        ("csharp", "try\n{\n  wind();\n}\ncatch (Empty e)\n{\n  fail();", (4, [1, 2, 3])),
        ("ruby", "def wind\n  turn\nrescue Empty\n  fail", (2, [1])),
        # of several handlers, that of the line; the body precedes them all
        ("php", "try {\n  a();\n} catch (B $b) {\n  c();\n} catch (D $d) {\n  e();", (4, [1])),
        ("python", "try:\n    wind()\nexcept Empty:\n    if a.b:\n        fail()", (2, [1])),
        # not an error handler
        ("python", "try:\n    wind()\nexcept Empty:\n    fail()\nwind()", None),
        ("python", "if a.b:\n    wind()\nelse:\n    fail()", None),
        ("go", "try {\n  wind();\n} catch (e) {\n  fail()", None),
        (None, "try:\n    wind()\nexcept Empty:\n    fail()", None),
    ],
)
def test_body_whose_errors_a_line_handles(
    language: str | None, code: str, found: tuple[int, list[int]] | None
) -> None:
    lines = code.split("\n")
    caught = enclosing_handler(lines, len(lines) - 1, catch_pattern(language))
    assert (caught and (caught[0], list(caught[1]))) == found


SPOOL = """
//- spool.py
def measure(spool):
    if spool.age > 10:
        raise ValueError("the spool is too old")
    return spool.length
//- wind.py
from spool import measure

def wind(spool):
    for _ in range(spool.turns):
        measure(spool)
    if spool.red:
        log = []
        measure(spool)
"""
QUESTION = "Why do I get 'the spool is too old'?"


async def quotes_of(tmp_path: Path, fixture: str, intent: Intent) -> list[str]:
    report = await answer_request(ExploreRequest(query=QUESTION, intent=intent), tmp_path, fixture)
    return [link.quote for link in report.links]


async def test_symptom_is_quoted_with_its_condition(tmp_path: Path):
    symptom, call = await quotes_of(tmp_path, SPOOL, "debug")
    assert symptom == 'if spool.age > 10:\n        raise ValueError("the spool is too old")'
    assert call == "for _ in range(spool.turns):\n        measure(spool)"


async def test_step_is_quoted_without_its_condition(tmp_path: Path):
    """Except the line of the message itself, which is a symptom for any intent."""
    call, symptom = await quotes_of(tmp_path, SPOOL, "explain")
    assert call == "measure(spool)"
    assert symptom == 'if spool.age > 10:\n        raise ValueError("the spool is too old")'


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (f"if spool.age > 10 and {'spool.is_old and ' * 10}True:", "too long"),
        ('if spool.key == "AKIAIOSFODNN7EXAMPLE":', "a credential"),
    ],
    ids=lambda each: each[:12],
)
async def test_unquotable_condition_is_left_out(tmp_path: Path, head: str, why: str):
    symptom, _ = await quotes_of(tmp_path, SPOOL.replace("if spool.age > 10:", head), "debug")
    assert symptom == 'raise ValueError("the spool is too old")', why


async def test_head_of_a_definition_is_no_condition(tmp_path: Path):
    fixture = SPOOL.replace("    if spool.age > 10:\n    ", "")
    assert (await quotes_of(tmp_path, fixture, "debug"))[
        0
    ] == 'raise ValueError("the spool is too old")'


READS = """
//- rules.py
def load_the_rules(path):
    # Loads the rules of a loom.
    if path is None:
        apply_the_rules("")
        return
    apply_the_rules(path)

def apply_the_rules(path):
    weave(path)
    knot(path)

def weave(path): ...
def knot(path): ...
"""


@pytest.mark.parametrize(
    ("fixture", "quoted"),
    [
        (READS, "apply_the_rules(path)"),
        (
            READS.replace("        return\n    apply", "        return\n    else:\n        apply"),
            '("")',
        ),
        (READS.replace('("")', '(loom="")'), "loom"),
    ],
)
async def test_call_nested_in_fewest_blocks_is_quoted(tmp_path: Path, fixture: str, quoted: str):
    request = ExploreRequest(query="How does a loom load and apply the rules?", intent="explain")
    report = await answer_request(request, tmp_path, fixture)
    quotes_of = [link.quote for link in report.links if "calls `apply_the_rules`" in link.fact]
    assert [quoted in quote for quote in quotes_of] == [True]


async def test_fact_names_other_lines_that_lead_to_the_symptom(tmp_path: Path):
    request = ExploreRequest(query=QUESTION, intent="debug")
    report = await answer_request(request, tmp_path, SPOOL)
    assert report.links[1].fact == "`wind` calls `measure`. It also does so on line 8."


LOOM = """
//- loom.py
from shuttle import throw_shuttle

def weave_cloth(loom, thread):
    if thread.short:
        return None
    if not is_tight(loom, thread):
        return "no"
    loom.open()
    throw_shuttle(loom, thread)

def is_tight(loom, thread):
    for each in thread:
        each.tight = loom.pull(each)
    return all(each.tight for each in thread)
//- shuttle.py
def throw_shuttle(loom, thread):
    \"\"\"The shuttle throws thread through the cloth of the loom.\"\"\"
    catch_shuttle(loom, thread)

def catch_shuttle(loom, thread):
    \"\"\"The shuttle that was thrown through the cloth of the loom is caught with its thread.\"\"\"
    for each in thread:
        loom.pass_through(each)
"""
MAY_EXIT_FACT = "`weave_cloth` calls `throw_shuttle`. It may exit before that, on line 7."


@pytest.mark.parametrize("intent", ["debug", "explain"])
async def test_exit_before_a_call_is_quoted_for_debugging(tmp_path: Path, intent: Intent):
    question = "Why is the shuttle not thrown and caught through a loom that is tight?"
    report = await answer_request(ExploreRequest(query=question, intent=intent), tmp_path, LOOM)
    link = next(each for each in report.links if each.fact.startswith("`weave_cloth`"))
    assert link.fact.startswith(MAY_EXIT_FACT) == (intent == "debug"), link.fact
    guarded_exit = 'if not is_tight(loom, thread):\n        return "no"'
    assert (link.quote == guarded_exit) == (intent == "debug"), link.quote


@pytest.mark.parametrize(
    ("code", "last"),
    [
        ("def wind(spool):\n    turn(spool)\n    return spool", 2),
        ("def wind(spool):\n    if spool.full:\n        turn(spool)\n", 1),
        ("fn wind() {\n    turn(\n        spool,\n    );\n}", 1),
        ("let wind = turn;", 0),
    ],
)
def test_last_statement_is_found_by_layout(code: str, last: int) -> None:
    assert last_statement(code.split("\n")) == last


DYE = """
//- dyeing.py
from dye import dye_thread

def dye_all(threads, vat):
    return [dye_thread(each, vat) for each in threads]
//- dye.py
def dye_thread(thread, vat):
    def soaked(each):
        if each.dry:
            return each
        return None
    if thread.colour_is_fast:
        return None
    if vat.empty:
        return "empty"
    vat.stir()
    return take_out(thread)

def take_out(thread):
    thread.colour_is_dyed = True
"""
FAST = "if thread.colour_is_fast:\n        return None"


@pytest.mark.parametrize(
    ("question", "intent", "quoted", "exits"),
    [
        ("Why does dye_all not dye a thread whose colour is fast?", "debug", FAST, "7 and 9"),
        ("How does dye_all dye a thread whose colour is fast?", "explain", "take_out", ""),
        ("Why does dye_all take out a thread?", "debug", "take_out", ""),
    ],
)
async def test_early_exit_of_the_last_step_is_quoted_for_debugging(
    tmp_path: Path, question: str, intent: Intent, quoted: str, exits: str
):
    report = await answer_request(ExploreRequest(query=question, intent=intent), tmp_path, DYE)
    link = next(each for each in report.links if each.fact.startswith("`dye_thread`"))
    remark = f"It may exit early, on lines {exits}."
    assert (remark in link.fact) == bool(exits), link.fact
    assert quoted in link.quote
