"""Flows whose start has no caller, but is registered under a text by one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judges.test_offline import answer_question

KILN = """
//- kiln/firing.py
def fire_pots(request):
    \"\"\"Pots are fired in the kiln.\"\"\"
    stack_shelves(request)

def stack_shelves(request):
    \"\"\"Shelves of pots are stacked in the kiln.\"\"\"
    request.stacked = True

def fire_again(request):
    fire_pots(request)
{rest}
"""
POTS = "How are pots fired, and their shelves stacked in the kiln?"
FLOW = ["`fire_pots` calls `stack_shelves`.", "`stack_shelves` is documented as"]
URLS = "//- kiln/urls.py\nfrom kiln.firing import fire_pots\n"
ROW = 'urls = [path("pots/fire", fire_pots)]\n'
UNCALLED = KILN.replace("def fire_again(request):\n    fire_pots(request)\n", "")


@pytest.mark.parametrize(
    ("fixture", "rest", "first_fact"),
    [
        (UNCALLED, URLS + ROW, '`urls` passes `fire_pots` ("pots/fire").'),
        (
            UNCALLED,
            URLS + "path('pots/fire', fire_pots)\n",
            '`urls.py` passes `fire_pots` ("pots/fire").',
        ),
        (UNCALLED, URLS + 'path("<str:a.b>/fire", fire_pots)\n', "passes `fire_pots`."),
        (
            UNCALLED,
            f"{URLS}def connect(bus):\n    bus.on('fired', fire_pots)\n",
            '`connect` passes `fire_pots` ("fired").',
        ),
        (
            UNCALLED,
            "//- urls.py\nurls = [('pots/fire', 'kiln.firing.fire_pots'),\n"
            "('jars/fire', 'kiln.firing.fire_pots')]\n",
            '`urls` passes `fire_pots` ("pots/fire"), judging by the name.',
        ),
        (UNCALLED, URLS.replace("kiln/urls", "tests/test_urls") + ROW, ""),
        (UNCALLED, URLS + ROW + ROW.replace("pots/", "jars/"), ""),
        (UNCALLED, URLS + "urls = [path(1, fire_pots)]\n", ""),
        (UNCALLED, URLS + "names = {'fire_pots': fire_pots}\n", ""),
        (KILN, URLS + ROW, ""),
    ],
    ids=[
        "row of a table",
        "line outside definitions",
        "text resembling a file name is omitted",
        "argument of a call",
        "dotted path in a string",
        "registration in a test",
        "two registrations",
        "no text",
        "text equal to its name",
        "function with a caller",
    ],
)
async def test_uncalled_function_is_preceded_by_its_registration(
    tmp_path: Path, fixture: str, rest: str, first_fact: str
):
    report = await answer_question(tmp_path, fixture.format(rest=rest), POTS, "explain")
    facts = [link.fact for link in report.links]
    registrations = [fact for fact in facts if " passes " in fact]
    assert len(registrations) == bool(first_fact), facts
    assert report.dropped == ()
    if first_fact:
        assert facts[0].endswith(first_fact)
        assert report.links[0].role == "entry"
        hop = report.links[0].hop
        assert hop is not None
        assert hop.relation == "references"
        assert all(
            fact.startswith(expected) for fact, expected in zip(facts[1:], FLOW, strict=False)
        )


BELL = """
//- Bell.cs
class Bell
{{
    /// <summary>Hangs the bell in the tower.</summary>
    void HangBell(Rope rope)
    {{
        Tie(rope);
        {named}
    }}

    /// <summary>The rope of the bell was pulled in the tower.</summary>
    void OnPulled(object sender, EventArgs args)
    {{
        Ring();
    }}

    void Tie(Rope rope) {{ rope.Knots = 2; }}
    void Ring() {{ this.loud = true; }}
}}
"""
LETTERS = """
//- letters.rb
class Letters
  # A letter is sealed and sent by post.
  def send_letter
    seal
    {named}
  end

  # The letter is written by hand, and not sent by post.
  def write_letter
    dip_pen
  end

  def seal
    @wax = 1
  end

  def dip_pen
    @ink = 1
  end
end
"""


PULLED = (BELL, "How is the bell hung in the tower and pulled?")
WRITTEN = (LETTERS, "How is a letter sent by post and written?")


@pytest.mark.parametrize(
    ("case", "named", "is_hop"),
    [
        (PULLED, "rope.Pulled += OnPulled;", True),
        (PULLED, "rope.Pulled -= OnPulled;", False),
        (PULLED, "rope.Pulled -= this.OnPulled;", False),
        (WRITTEN, "method(:write_letter).call", True),
        (WRITTEN, "draw page: :write_letter", False),
        (WRITTEN, "draw :page => :write_letter", False),
    ],
)
async def test_reference_is_a_hop_only_if_it_may_be_called(
    tmp_path: Path, case: tuple[str, str], named: str, is_hop: bool
):
    fixture, question = case
    report = await answer_question(tmp_path, fixture.format(named=named), question, "explain")
    hops = [link.hop for link in report.links if link.hop and link.hop.relation == "references"]
    assert bool(hops) == is_hop, report.links
