"""Which text a line shares verbatim with the question, and what its place then says."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.channels.question.query import understand
from explorer_core.channels.question.wording import Wording
from explorer_core.contracts import ExploreRequest, Intent
from explorer_core.index.terms import text
from tests.judges.test_offline import answer_request


@pytest.mark.parametrize(
    ("question", "line", "shared"),
    [
        # A message whose variable parts are left open, pasted or quoted.
        (
            'Why "No spool left for reel 7"?',
            'fail("No spool left for reel {n}")',
            "No spool left for reel",
        ),
        (
            "WindError: no spool left for reel 'a'",
            'fail(f"no spool left for reel {n}")',
            "no spool left for reel",
        ),
        ("no spool left in box 12", "fail('no spool left in box %d' % n)", "no spool left in box"),
        ('Where is "no spool left" said?', "no spool left, try another", "no spool left"),
        # Unmarked text in the question could occur in any prose, so only literals count.
        ("How is a spool left on the reel?", "# a spool left on the reel", None),
        (
            "How is a spool left on the reel?",
            'say("a spool left on the reel")',
            "a spool left on the reel",
        ),
        ("How is a spool left on the reel?", 'say("spool left")', None),
        # Text too short for that counts only if a literal has exactly what is quoted.
        ('Who reads "spool-size"?', "value = options['spool-size']", "spool-size"),
        ('Who reads "spool-size"?', "value = options['spool-sizes']", None),
        ('Who reads "spool"?', "value = spool", None),
        ("Who reads `spool`?", "value = options['spool']", None),
        # A short line may be a message, but an item of a list is not.
        ("Who winds?\n\nspool left", 'say("Spool left")', "Spool left"),
        ("Who winds?\n\nspool left, reel", 'say("Spool left")', None),
        # Code and paths are not runs of words.
        ('Why "spool/reel/wheel"?', "open('spool/reel/wheel')", None),
        # It must contain a distinctive word.
        ('Why "it is on the"?', "it is on the", None),
        ('Why "it is on the spool"?', "it is on the spool", "it is on the spool"),
        ("How is it on the spool in a reel?", 'say("it is on the spool")', None),
    ],
)
def test_longest_text_shared_by_question_and_line(question: str, line: str, shared: str | None):
    common = {"it", "is", "on", "the", "for", "how", "why", "a", "in", "where", "who"}
    weights = {term: 0.0 if term in common else 1.0 for term in text.analyse(question)}
    found = Wording(understand(question), weights).within([line]).get(0)
    assert (found.text if found else None) == shared


AGE = "Why do I get: Reel age 12 > 10 turns"


@pytest.mark.parametrize(
    ("question", "lines", "at"),
    [
        # With any language's syntax for placeholders.
        (AGE, ['raise E(f"Reel age {age} > {self.limit[0]} turns")'], 0),
        (AGE, ['raise E("Reel age %d > %d turns" % (age, limit))'], 0),
        (AGE, ['raise E("Reel age {} > {} turns".format(age, limit))'], 0),
        (AGE, ["raise E('Reel age %(age)s > %(limit)s turns')"], 0),
        (AGE, ["throw new E(`Reel age ${of(age)} > ${limits.map((x) => x)} turns`)"], 0),
        (AGE, ['raise E, "Reel age #{ages["a"]} > #{limit} turns"'], 0),
        (AGE, ['return "Reel age \\(of(age, "a")) > \\(limit) turns"'], 0),
        (AGE, ['throw E("Reel age $age > $limit turns")'], 0),
        (AGE, ['throw new E("Reel age {$this->age} > {$limit} turns");'], 0),
        (AGE, ['throw new E($"Reel age {age:N0} > {limit} turns");'], 0),
        (AGE, ['throw new E("Reel age {0} > {1} turns".FormatWith(age, limit));'], 0),
        (AGE, ['log.warn("Reel age {} > {} turns", age, limit);'], 0),
        (AGE, ['panic!("Reel age {age} > {limit:?} turns")'], 0),
        (AGE, ['return fmt.Errorf("Reel age %d > %+v turns", age, limit)'], 0),
        (AGE, ['snprintf(buf, n, "Reel age %lu > %-3zu turns", age, limit);'], 0),
        (AGE, ['throw new E("Reel age " + age + " > " + limit + " turns");'], 0),
        (AGE, ['out << "Reel age " << age << " > " << limit << " turns";'], 0),
        # Over several lines, the line with most of it.
        (AGE, ["raise E(", '    f"Reel age {age} "', '    f"> {limit} turns"', ")"], 1),
        (AGE, ['panic("Reel age " + age +', '    " > " + limit + " turns")'], 0),
        # After a prefix such as a time and a level, and with a value first.
        ("12:00:01 WARN Box: open box: Reel age 3 > 2 turns", ['f("Reel age %d > %d turns")'], 0),
        ("wind: 2 loose reels: a, b", ['return "\\(count) loose reels: \\(names)"'], 0),
        ("Why do I get: No spool", ['raise E("No spool")'], 0),
        # Quoted without a value and the words next to it.
        ('Is "Reel wound off, thread lost"?', ['e("Reel wound off for [{0}], thread lost", r)'], 0),
        ('Is "Reel wound off, thread lost"?', ['e("Reel wound off for r, thread lost")'], None),
        ('Is "Reel wound off, thread lost"?', ['e("Reel wound off for [{0}], thread cut")'], None),
        # An entry of JSON, as code creates it.
        ('Answers {"reel":"empty"}', ["return json({ reel: 'empty' })"], 0),
        ('Answers {"reel":"empty"}', ['{:reel => "empty"}'], 0),
        ('Answers {"reel":"empty"}', ["{ wheel: 'empty' }", "{ reel: 'emptying' }"], None),
        ('Answers\n```\n{"reel":"empty"}\n```', ["{ reel: 'empty' }"], None),
        # All of it must be there, in order, and be more than common words.
        (AGE, ['raise E(f"Reel age {age} < 0 turns")'], None),
        (AGE, ['raise E(f"Reel age {age} > {limit} hours")'], None),
        (AGE, ['raise E(f"turns {age} > {limit} Reel age")'], None),
        (AGE, ['call("Reel", age, "age")'], None),
        ("How does a spool get no thread?", ['say("no thread")'], None),
        ('How is "reel-age" read?', ['options["reel-age"] + "of"'], None),
        ('Why is "a" not on the reel?', ['words = "not on"'], None),
    ],
)
def test_message_template_is_found_by_its_printed_form(
    question: str, lines: list[str], at: int | None
):
    common = {"how", "why", "a", "in", "is", "the", "do", "get", "i", "of", "not", "on"}
    weights = {term: 0.0 if term in common else 1.0 for term in text.analyse(question)}
    found = Wording(understand(question), weights).messages(lines)
    assert [line for line, _ in found] == ([] if at is None else [at])


def test_line_with_the_longest_shared_text_ranks_best():
    wording = Wording(
        understand('Why "no spool left in drawer"?'), {"spool": 1.0, "left": 1.0, "drawer": 2.0}
    )
    matches = [
        wording.within([line]).get(0)
        for line in ("no spool left", "no spool left in drawer", "'no spool left in drawer'")
    ]
    ranks = [each.rank for each in matches if each]
    assert len(ranks) == 3
    assert ranks == sorted(ranks)


SPOOL = """
//- spool.py
def wind_spool(spool):
    measure_spool(spool)
    if spool.empty:
        raise ValueError(f"no thread left on spool {spool.name}")
    turn_spool(spool)

def measure_spool(spool):
    weigh_spool(spool)

def weigh_spool(spool): ...

def turn_spool(spool): ...
//- notes.txt
With no thread left on spool and reel, go home.
"""


@pytest.mark.parametrize("intent", ["explain", "locate", "edit", "debug"])
@pytest.mark.parametrize(
    "question",
    [
        'Where does "no thread left on spool" come from?',
        "ValueError: no thread left on spool 'red'",
        "How do I get no thread left on spool when I wind it?",
    ],
)
async def test_quoted_text_is_shown_instead_of_a_call(
    tmp_path: Path, question: str, intent: Intent
):
    """Instead of the line of a call by which the flow continues."""
    report = await answer_request(ExploreRequest(query=question, intent=intent), tmp_path, SPOOL)
    fact = '`wind_spool` contains the text "no thread left on spool".'
    (quote,) = [link.quote for link in report.links if link.fact == fact]
    assert (
        quote.splitlines()[-1].strip()
        == 'raise ValueError(f"no thread left on spool {spool.name}")'
    )
    assert report.dropped == ()


async def test_place_with_little_of_the_text_is_not_described_by_it(tmp_path: Path):
    """If the whole text occurs elsewhere."""
    fixture = SPOOL.replace("left on spool", "left on spool in the wicker basket")
    fixture = fixture.replace(
        "turn_spool(spool): ...",
        "turn_spool(spool):\n    # No thread left.\n    spool.turn()",
    )
    request = ExploreRequest(query='"no thread left on spool in the wicker basket": turn_spool')
    report = await answer_request(request, tmp_path, fixture)
    facts = {link.fact for link in report.links if "contains the text" in link.fact}
    message = "no thread left on spool in the wicker basket"
    assert facts == {f'`wind_spool` contains the text "{message}".'}
    assert "turn_spool" in {link.fact.split("`")[1] for link in report.links}


async def test_text_outside_definitions_is_described_as_occurrence(tmp_path: Path):
    notes = SPOOL[SPOOL.index("//- notes.txt") :]
    request = ExploreRequest(query='"no thread left on spool"')
    (link,) = (await answer_request(request, tmp_path, notes)).links
    assert link.fact == 'The text "no thread left on spool" occurs here.'


@pytest.mark.parametrize("intent", ["explain", "locate", "debug"])
@pytest.mark.parametrize(
    ("quoted", "expected"), [("reel marker missing", True), ("reel marker was missing", False)]
)
async def test_quotation_may_be_part_of_a_longer_message(
    tmp_path: Path, quoted: str, expected: bool, intent: Intent
):
    """And if it is not found, confidence is not high."""
    others = "".join(
        f"//- other{at}.go\npackage reel\n\n// why is it\nfunc other{at}() {{}}\n"
        for at in range(8)
    )
    fixture = f"""
{others}//- reel.go
package reel

var (
	ErrPath   = errors.New("reel path missing")
	ErrMarker = errors.New("reel marker missing (this indicates lost threads, ask for help)")
)

func (r Reel) CheckPath() error {{
	return ErrMarker
}}

func (r Reel) CreateMarker() error {{ return nil }}
"""
    request = ExploreRequest(query=f'Why is it "{quoted}"?', intent=intent)
    report = await answer_request(request, tmp_path, fixture)
    found = f'`ErrMarker` contains the text "{quoted}".' in [link.fact for link in report.links]
    assert found == expected
    assert expected or report.confidence != "high"


CLOSED = """
//- wind.py
def wind(spool):
    raise ValueError("the certificate of the reel was not found")

def reel(spool): ...
//- certificates.py
def is_certificate_of_reel_found(spool):
    return spool.certificate
"""


@pytest.mark.parametrize(
    ("question", "missing", "low"),
    [
        ('Why do I get "the certificate of the reel was not found"?', [], False),
        (
            'Why do I get "the certificate of the reel was lost in wind"?',
            ['the text "the certificate of the reel was lost in wind" was not found'],
            True,
        ),
        # The question is about something else.
        (
            'is_certificate_of_reel_found\n\nIt says "wind the spool of all reels".',
            ['the text "wind the spool of all reels" was not found'],
            False,
        ),
    ],
)
async def test_missing_quotation_is_reported(
    tmp_path: Path, question: str, missing: list[str], low: bool
):
    report = await answer_request(ExploreRequest(query=question, intent="debug"), tmp_path, CLOSED)
    assert [each for each in report.missing if "text" in each] == missing
    assert (report.confidence == "low") == low


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ('Add "wind the spool of all reels" to is_certificate_of_reel_found', False),
        ('Reword "the certificate of the reel was lost in wind"', True),
    ],
)
async def test_text_that_a_change_introduces_is_not_missing(
    tmp_path: Path, question: str, missing: bool
):
    """Unless the change is about nothing else."""
    report = await answer_request(ExploreRequest(query=question, intent="edit"), tmp_path, CLOSED)
    assert any("text" in each for each in report.missing) == missing


TEXTS = """
//- res/texts.xml
<resources>
{texts}
    <string name="gate.open">The gate stands open</string>
</resources>
//- gate/keeper.py
def tell_of_lamp(gate):
    gate.say("lamp.dark")
//- gate/winch.py
def wind_winch(winch):
    if winch.rope_is_frayed:
        winch.say("winch.dark")
"""
DARK = '    <string name="{}.dark">It is too dark to wind the winch</string>'


@pytest.mark.parametrize(
    ("keys", "user"),
    [
        (["lamp"], "tell_of_lamp"),
        (["winch"], "wind_winch"),
        # if two keys have the same text, the key related to the question counts
        (["lamp", "winch"], "wind_winch"),
        (["winch", "lamp"], "wind_winch"),
    ],
)
async def test_text_between_tags_leads_to_users_of_its_key(
    tmp_path: Path, keys: list[str], user: str
) -> None:
    """Even if the keys of its file look like references to names."""
    fixture = TEXTS.format(texts="\n".join(map(DARK.format, keys)))
    question = "Why does the winch with a frayed rope say 'It is too dark to wind the winch'?"
    report = await answer_request(ExploreRequest(query=question, intent="debug"), tmp_path, fixture)
    users = [link.fact.split("`")[1] for link in report.links if '.dark"' in link.fact]
    assert users == [user], report.links
