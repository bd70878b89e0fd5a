"""What a step's fact says beyond the flow: what else the step calls, and what calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.judges.offline.telling import exhibit
from tests.judges.test_offline import answer_question

SCALES = """
//- mill/scales.py
def weigh_corn(corn):
    lift_corn(corn)
    note_corn(corn)
    pour_corn(corn)

def lift_corn(corn):
    \"\"\"Corn is lifted on the scales.\"\"\"
    for grain in corn:
        grain.high = True

def note_corn(corn):
    corn.noted = True

def pour_corn(corn):
    \"\"\"Corn is poured off the scales.\"\"\"
    tip(corn)

def tip(corn):
    corn.empty = True

def again(corn):
    lift_corn(corn)
    pour_corn(corn)
//- mill/day.py
from mill.scales import weigh_corn

{callers}
//- mill/notes.py
{notes}
"""
WEIGH = "How is corn lifted on the scales, and poured off by tipping?"
WEIGHED = "`weigh_corn` calls `pour_corn`. It also calls `lift_corn`."


def callers_of_weigh(*names: str) -> str:
    return "\n".join(f"def {name}(sack):\n    weigh_corn(sack.tip)\n" for name in names)


def higher_ranked_functions(words: str) -> str:
    """Functions that contain all of these words and thus rank before others."""
    return "\n".join(f"def note_{n}():\n    # {words}\n    return {n}\n" for n in range(40))


@pytest.mark.parametrize(
    ("callers", "sentence"),
    [
        pytest.param((), "", id="no caller"),
        pytest.param(("work", "show"), " It is called by `work` and `show`.", id="two callers"),
        pytest.param(
            ("work", "show", "help"),
            " It is called by `work`, `show` and others.",
            id="three callers",
        ),
        pytest.param((90 * "work", 90 * "show"), "", id="sentence too long to show"),
    ],
)
async def test_facts_name_other_callees_and_callers_of_the_first_step(
    tmp_path: Path, callers: tuple[str, ...], sentence: str
):
    """Except getters and setters of a value."""
    files = SCALES.format(
        callers=callers_of_weigh(*callers),
        notes=higher_ranked_functions("corn on scales"),
    )
    report = await answer_question(tmp_path, files, WEIGH, "explain")
    facts = [link.fact for link in report.links]
    assert facts[0] == WEIGHED + sentence, facts


FELTING = """
//- felt/press.py
from felt.wool import card_wool, wet, {called}

def press_felt(wool):
    \"\"\"Felt is pressed of wool, a layer on each layer.\"\"\"
    wet(wool)
    card_wool(wool)
    {called}(wool)

//- felt/wool.py
def card_wool(wool):
    \"\"\"Wool is carded before felt is pressed of it.\"\"\"
    wet(wool)

def wet(wool):
    for each in wool:
        each.soak()

def {called}(wool):
    for each in wool:
        each.turn()
        each.dry()
"""


@pytest.mark.parametrize(("called", "is_named"), [("ply_in_layers", True), ("turn_over", False)])
async def test_low_ranked_callee_is_named_if_its_name_is_distinctive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, called: str, is_named: bool
):
    monkeypatch.setattr(exhibit, "_RANKED_WELL", 1)
    files = FELTING.format(called=called)
    report = await answer_question(
        tmp_path, files, "How is felt pressed of wool in layers?", "explain"
    )
    facts = [link.fact for link in report.links]
    assert (f"`{called}`" in facts[0]) == is_named, facts


async def test_fact_names_a_direct_call_that_the_flow_bypasses(tmp_path: Path):
    files = FELTING.format(called="ply_in_layers")
    report = await answer_question(
        tmp_path, files, "How is felt pressed of wool in layers?", "explain"
    )
    steps = [link.fact.split()[0] for link in report.links[:3]]
    assert steps == ["`press_felt`", "`card_wool`", "`wet`"]
    assert "It also calls `wet`" in report.links[0].fact


BRIDGES = """
//- bridge/ferry.py
class Ferry:
    def carry_over(self, cart): ...

def cross_river(ferry: Ferry, cart):
    \"\"\"A cart gets over the river.\"\"\"
    ferry.carry_over(cart)
    cart.wet = False
//- bridge/boats.py
from bridge.ferry import Ferry

class Raft(Ferry):
    def carry_over(self, cart):
        \"\"\"The raft is poled, cart and all.\"\"\"
        pole_raft(cart)

def pole_raft(cart):
    \"\"\"The raft is poled by two.\"\"\"
    cart.still = True
    cart.tied = True
{others}
//- tests/test_boats.py
from bridge.ferry import Ferry

class Toy(Ferry):
    def carry_over(self, cart):
        cart.toy = True
"""
MANY = tuple(f"Boat{at}(Ferry)" for at in range(45))
OTHER = "\nclass {each}:\n    def carry_over(self, cart):\n        cart.other = True\n"


@pytest.mark.parametrize(
    ("others", "overrides"),
    [
        ((), "`Raft.carry_over` overrides."),
        (("Barge(Ferry)",), "`Raft.carry_over` and one other override."),
        (("Barge(Ferry)", "Punt(Ferry)"), "`Raft.carry_over` and 2 others override."),
        (("Float(Raft)", "Log(Float)"), "`Raft.carry_over` and 2 others override."),
        (MANY, "`Raft.carry_over` and possibly others override."),
    ],
    ids=["no other", "one other", "two others", "overrides of overrides", "too many to count"],
)
async def test_fact_of_a_call_counts_the_other_overrides(
    tmp_path: Path, others: tuple[str, ...], overrides: str
):
    beside = others if len(others) < 3 else ()
    files = BRIDGES.format(others="".join(OTHER.format(each=each) for each in beside))
    files += "".join(
        f"//- boats/boat_{at}.py\nfrom bridge.ferry import Ferry\n{OTHER.format(each=each)}"
        for at, each in enumerate(others[len(beside) :])
    )
    question = "How does a cart get over the river on a raft that is poled?"
    report = await answer_question(tmp_path, files, question, "explain")
    facts = [link.fact for link in report.links]
    assert f"`cross_river` calls `Ferry.carry_over`, which {overrides}" in facts


DYEING = """
//- dye/vat.rb
class Vat
  # Yarn is dyed in the vat.
  def dye_yarn(yarn, stuff)
    heat(yarn)
    stuff.{called}(yarn)
  end

  # The vat is heated, and the yarn dyed in it.
  def heat(yarn)
    yarn.each {{ |strand| strand.warm = true }}
    stir(yarn)
  end

  # The vat is stirred as the yarn is dyed.
  def stir(yarn)
    yarn.each {{ |strand| strand.turned = true }}
    yarn.wet = true
  end
end
//- dye/mordant.rb
class Mordant
  def {called}(strands)
    strands.each {{ |strand| strand.bitten = true }}
    strands.each {{ |strand| strand.grey = true }}
    strands.ready = true
  end
end
{others}
"""
SECOND_DEFINITION = """
//- dye/iron.rb
class Iron
  def {called}(yarn) = yarn.grey
end
"""
CALLER = "//- dye/user_{at}.rb\ndef use_{at}(vat) = vat.{called}\n"


@pytest.mark.parametrize(
    ("called", "others", "is_named"),
    [
        pytest.param("bite_into_yarn", "", True, id="name of several words"),
        pytest.param("bite", "", False, id="name of one word"),
        pytest.param("bite_into_yarn", SECOND_DEFINITION, False, id="two definitions of the name"),
        pytest.param(
            "bite_into_yarn",
            "".join(CALLER.replace("{at}", str(at)) for at in range(30)),
            False,
            id="name called everywhere",
        ),
    ],
)
async def test_unique_name_of_several_words_counts_as_an_edge(
    tmp_path: Path, called: str, others: str, is_named: bool
):
    files = DYEING.format(called=called, others=others.format(called=called))
    question = "How is yarn dyed in a vat, heated and stirred, and what can bite into it?"
    report = await answer_question(tmp_path, files, question, "explain")
    facts = " ".join(link.fact for link in report.links if link.fact.startswith("`Vat.dye_yarn`"))
    assert (f"`Mordant.{called}`" in facts) == is_named, facts
    assert not is_named or "judging by the name" in facts
