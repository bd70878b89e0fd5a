"""Where a function is named, but not to be called: no flow runs there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judges.test_offline import answered

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


@pytest.mark.parametrize(
    ("fixture", "asked", "named", "runs"),
    [
        (BELL, "How is the bell hung in the tower and pulled?", "rope.Pulled += OnPulled;", True),
        (BELL, "How is the bell hung in the tower and pulled?", "rope.Pulled -= OnPulled;", False),
        (
            BELL,
            "How is the bell hung in the tower and pulled?",
            "rope.Pulled -= this.OnPulled;",
            False,
        ),
        (LETTERS, "How is a letter sent by post and written?", "method(:write_letter).call", True),
        (LETTERS, "How is a letter sent by post and written?", "draw page: :write_letter", False),
        (
            LETTERS,
            "How is a letter sent by post and written?",
            "draw :page => :write_letter",
            False,
        ),
    ],
)
async def test_a_flow_runs_only_where_what_is_named_may_be_called(
    tmp_path: Path, fixture: str, asked: str, named: str, runs: bool
):
    report = await answered(tmp_path, fixture.format(named=named), asked, "explain")
    hops = [link.hop for link in report.links if link.hop and link.hop.relation == "references"]
    assert bool(hops) == runs, report.links
