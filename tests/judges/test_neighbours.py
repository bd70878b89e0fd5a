"""What a step's fact says beyond the flow: what else the step calls, and what calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.judges.offline.telling import exhibit
from tests.judges.test_offline import answered

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


def calling(*names: str) -> str:
    return "\n".join(f"def {name}(sack):\n    weigh_corn(sack.tip)\n" for name in names)


def notes(words: str) -> str:
    """Functions that contain all of these words and thus rank before others."""
    return "\n".join(f"def note_{n}():\n    # {words}\n    return {n}\n" for n in range(40))


@pytest.mark.parametrize(
    ("callers", "told"),
    [
        pytest.param((), "", id="nobody"),
        pytest.param(("work", "show"), " It is called by `work` and `show`.", id="two"),
        pytest.param(
            ("work", "show", "help"), " It is called by `work`, `show` and others.", id="three"
        ),
        pytest.param((90 * "work", 90 * "show"), "", id="no half of a sentence"),
    ],
)
async def test_a_step_says_what_else_it_calls_and_the_first_what_calls_it(
    tmp_path: Path, callers: tuple[str, ...], told: str
):
    """Except getters and setters of a value."""
    files = SCALES.format(callers=calling(*callers), notes=notes("corn on scales"))
    report = await answered(tmp_path, files, WEIGH, "explain")
    facts = [link.fact for link in report.links]
    assert facts[0] == WEIGHED + told, facts


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


@pytest.mark.parametrize(("called", "is_told"), [("ply_in_layers", True), ("turn_over", False)])
async def test_what_ranks_behind_is_told_if_its_name_says_as_much_as_a_word_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, called: str, is_told: bool
):
    monkeypatch.setattr(exhibit, "_RANKED_WELL", 1)
    files = FELTING.format(called=called)
    report = await answered(tmp_path, files, "How is felt pressed of wool in layers?", "explain")
    facts = [link.fact for link in report.links]
    assert (f"`{called}`" in facts[0]) == is_told, facts


async def test_a_step_says_that_it_also_calls_what_the_flow_comes_to_by_a_way_round(tmp_path: Path):
    files = FELTING.format(called="ply_in_layers")
    report = await answered(tmp_path, files, "How is felt pressed of wool in layers?", "explain")
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
MANY = tuple(f"Boat{at}" for at in range(45))
OTHER = "\nclass {name}(Ferry):\n    def carry_over(self, cart):\n        cart.other = True\n"


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ((), "`Raft.carry_over` overrides."),
        (("Barge",), "`Raft.carry_over` and one other override."),
        (("Barge", "Punt"), "`Raft.carry_over` and 2 others override."),
        (MANY, "`Raft.carry_over` and possibly others override."),
    ],
    ids=["none", "one", "two", "too many to count"],
)
async def test_a_way_into_one_of_several_says_that_there_are_others(
    tmp_path: Path, others: tuple[str, ...], said: str
):
    beside = others if len(others) < 3 else ()
    files = BRIDGES.format(others="".join(OTHER.format(name=each) for each in beside))
    files += "".join(
        f"//- boats/{each}.py\nfrom bridge.ferry import Ferry\n{OTHER.format(name=each)}"
        for each in others[len(beside) :]
    )
    question = "How does a cart get over the river on a raft that is poled?"
    report = await answered(tmp_path, files, question, "explain")
    facts = [link.fact for link in report.links]
    assert f"`cross_river` calls `Ferry.carry_over`, which {said}" in facts


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
WITH_ANOTHER = """
//- dye/iron.rb
class Iron
  def {called}(yarn) = yarn.grey
end
"""
CALLING = "//- dye/user_{at}.rb\ndef use_{at}(vat) = vat.{called}\n"


@pytest.mark.parametrize(
    ("called", "others", "is_told"),
    [
        pytest.param("bite_into_yarn", "", True, id="a name of several words"),
        pytest.param("bite", "", False, id="a word"),
        pytest.param("bite_into_yarn", WITH_ANOTHER, False, id="two of the name"),
        pytest.param(
            "bite_into_yarn",
            "".join(CALLING.replace("{at}", str(at)) for at in range(30)),
            False,
            id="what everybody calls may be a library's",
        ),
    ],
)
async def test_a_name_that_only_one_can_have_is_as_good_as_an_edge(
    tmp_path: Path, called: str, others: str, is_told: bool
):
    files = DYEING.format(called=called, others=others.format(called=called))
    question = "How is yarn dyed in a vat, heated and stirred, and what can bite into it?"
    report = await answered(tmp_path, files, question, "explain")
    facts = " ".join(link.fact for link in report.links if link.fact.startswith("`Vat.dye_yarn`"))
    assert (f"`Mordant.{called}`" in facts) == is_told, facts
    assert not is_told or "judging by the name" in facts
