"""The sentences that describe edges."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from explorer_core.contracts import ExploreRequest, Intent
from explorer_core.index.graph import SymbolGraph
from explorer_core.judges.statements import called, of_edge, of_target
from tests.index.workspace import facts_of, graph_of, id_of
from tests.judges.test_offline import answer_request

PRINTER = """
//- src/Printer.java
class Printer {
    /** Prints the pages of a ledger. */
    void printLedger(String[] pages) { printLedger(pages, 0); }
    /** Prints the pages of a ledger from one on. */
    void printLedger(String[] pages, int at) {
        if (at < pages.length) {
            show(pages[at]);
            unwind(pages, at);
        }
    }
    /** Unwinds a spool. */
    void unwind(String[] spool, int turn) { if (turn > 0) unwind(spool, turn - 1); }
    /** Rewinds a film by some turns. */
    void rewindFilm(String film, int turns) { show(film); }
    /** Rewinds a film all the way. */
    void rewindFilm(Film film, int turns) {
        rewindFilm(film.name, 9);
    }
    void show(String page) { System.out.println(page); }
}
"""


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("printLedger: prints the pages of a ledger", "another `Printer.printLedger`"),
        ("rewindFilm: rewinds a film all the way", "calls another `Printer.rewindFilm` or itself."),
        ("unwind: unwinds a spool", "`Printer.unwind` calls itself."),
    ],
)
async def test_calls_between_equal_names_are_worded_as_another_or_itself(
    tmp_path: Path, question: str, fact: str
):
    """Two overloads, and a function that calls itself, are distinguished in words."""
    report = await answer_request(
        ExploreRequest(query=question, intent="explain"), tmp_path, PRINTER
    )
    facts = [link.fact for link in report.links]
    assert any(fact in each for each in facts), facts


SHELF = """
//- src/Shelf.java
interface Shelf {
    /** Keeps a ledger. */
    void keepLedger(String page);
}
//- src/CellarShelf.java
class CellarShelf implements Shelf {
    /** Keeps a ledger in the cellar. */
    public void keepLedger(String page) { sealLedger(page); }
    /** Seals a ledger for the cellar. */
    void sealLedger(String page) { System.out.println(page); }
}
//- src/Clerk.java
class Clerk {
    private Shelf shelf;
    /** Closes a ledger. */
    void closeLedger(String page) { shelf.keepLedger(page); }
}
"""

LOOM = """
//- loom.py
def weave_cloth(cloth, loom):
    cloth.woven = loom.weave(cloth)
    dye_cloth(cloth)

def dye_cloth(fabric):
    fabric.colour = "red"
"""


@pytest.mark.parametrize(
    ("fixture", "intent", "question", "role", "fact"),
    [
        (
            SHELF,
            "explain",
            "How does Shelf keep a ledger for the clerk and seal it?",
            "step",
            '`Shelf.keepLedger` is documented as "Keeps a ledger". It is overridden by '
            "`CellarShelf.keepLedger`.",
        ),
        (
            LOOM,
            "locate",
            "Where does weave_cloth weave cloth on a loom?",
            "also",
            "`dye_cloth` is called by `weave_cloth`.",
        ),
    ],
)
async def test_definition_without_callees_is_described_by_incoming_edges(
    tmp_path: Path, fixture: str, intent: Intent, question: str, role: str, fact: str
):
    """An implementation of an interface method, and a function beside the flow called by a step.
    About both, facts once said only that they are defined there."""
    report = await answer_request(ExploreRequest(query=question, intent=intent), tmp_path, fixture)
    assert (role, fact) in [(link.role, link.fact) for link in report.links]
    assert report.dropped == ()


SPINDLE = """
//- spindle.py
def spin_yarn(yarn):
    card_wool(yarn)
    reel_yarn(yarn)

def card_wool(
    wool,
    yarn_of_wool=None,
):
    # Wool is carded.
    wool.carded = True

def reel_yarn(yarn):
    \"\"\"Reel the yarn in. Nothing is cut.\"\"\"
    yarn.reeled = True

def twist_yarn(yarn, turns):
    if yarn.turns < turns:
        twist_yarn(yarn, turns)
    oil_wheel(yarn)

def oil_wheel(wheel): ...

def dye_silk(silk):
    if feels_wet(silk):
        log.warn("silk is to be dyed with indigo")
    silk.bath = indigo_bath(silk)
    silk.days_in_indigo = 3

def feels_wet(silk): ...
def indigo_bath(silk): ...

def mend_sock(sock):
    if feels_wet(sock):
        return
    sock.hole = darned_hole(3)

def full_cloth(cloth):
    # The cloth is fulled in water.
    cloth.bath = warm_water(cloth)

def bleach_linen(linen):
    \"\"\"Linen goes white.\"\"\"
    linen.bath = bright_light(linen)

def splice_rope(
    rope_to_splice,
    other_rope_to_splice,
):
    return 2
"""


@pytest.mark.parametrize(
    ("question", "fact_and_quote"),
    [
        (
            "How does card_wool card wool?",
            (
                "`card_wool` has a line that matches `card`, `wool`. It is called by `spin_yarn`.",
                "wool.carded = True",
            ),
        ),
        (
            "How does reel_yarn reel the yarn in?",
            ('`reel_yarn` is documented as "Reel the yarn in".', "yarn.reeled = True"),
        ),
        (
            "How does twist_yarn twist yarn in turns?",
            ("`twist_yarn` calls `oil_wheel`.", "oil_wheel(yarn)"),
        ),
        (
            "How is silk dyed with indigo?",
            ("`dye_silk` calls `indigo_bath`.", "silk.bath = indigo_bath(silk)"),
        ),
        (
            "How is the hole in a sock darned?",
            (
                "`mend_sock` has a line that matches `sock`, `darned`, `hole`.",
                "sock.hole = darned_hole(3)",
            ),
        ),
        (
            "How is cloth fulled in warm water?",
            (
                "`full_cloth` has a line that matches `cloth`, `warm`, `water`.",
                "cloth.bath = warm_water(cloth)",
            ),
        ),
        (
            "How is linen bleached in bright light?",
            (
                '`bleach_linen` is documented as "Linen goes white".',
                "linen.bath = bright_light(linen)",
            ),
        ),
        (
            "splice_rope: other rope to splice",
            ("`splice_rope` is a function defined here.", "def splice_rope("),
        ),
    ],
)
async def test_fact_describes_its_place_and_the_quote_shows_it(
    tmp_path: Path, question: str, fact_and_quote: tuple[str, str]
):
    """Its caller and what it does, its documentation and its callees precede its mere existence.

    A line with far more of the question's words precedes a call with none, and a line that does
    something precedes one that only says so, such as a comment. A definition's head may have many
    lines; the one with the name is quoted.
    """
    request = ExploreRequest(query=question, intent="locate")
    report = await answer_request(request, tmp_path, SPINDLE)
    assert fact_and_quote in [(link.fact, link.quote) for link in report.links]


TENT = """
//- Tent.cs
class Tent
{
    /// <summary>Pitches the <see cref="Tent"/> on a dry meadow.</summary>
    void PitchTent() { this.isUp = true; }

    /// <summary>Strikes the tent before it rains.</summary>
    void StrikeTent()
    {
        this.pegs = 0;
    }
""" + "".join(f"    /** It is so. */\n    int Fold{at}() {{ return {at}; }}\n" for at in range(9))


@pytest.mark.parametrize(
    ("question", "fact_and_quote"),
    [
        (
            "PitchTent: is it pitched on a dry meadow?",
            (
                "`Tent.PitchTent` is a method defined here.",
                "void PitchTent() { this.isUp = true; }",
            ),
        ),
        (
            "StrikeTent: is it struck before it rains?",
            (
                '`Tent.StrikeTent` is documented as "Strikes the tent before it rains".',
                "void StrikeTent()",
            ),
        ),
    ],
)
async def test_documentation_with_gaps_or_only_common_words_is_not_quoted(
    tmp_path: Path, question: str, fact_and_quote: tuple[str, str]
):
    """Markup left a gap in the first one's documentation, which has only `is` of the question."""
    request = ExploreRequest(query=question, intent="locate")
    report = await answer_request(request, tmp_path, TENT + "}\n")
    assert fact_and_quote in [(link.fact, link.quote) for link in report.links]


IMPORTS = """
//- loader.py
def load_history(reader):
    \"\"\"Import the history.\"\"\"
    return store_entries(reader)

def store_entries(reader):
    return list(reader)
//- run.py
from loader import load_history

def run_import(kind):
    if kind == "power":
        return load_history(Powershell())
    if kind == "zsh":
        return load_history(Zsh())
"""


MOST_INFORMATIVE_FACTS = {
    "the action precedes the failure": (
        """
        //- mill.py
        class GrindError(Exception): ...
        def grind_corn(corn):
            if not corn:
                raise GrindError("corn")
            turn(corn)
        def turn(corn): ...
        """,
        "`grind_corn` calls `turn`.",
    ),
    "documentation precedes calls that only fail": (
        """
        //- mill.py
        class GrindError(Exception): ...
        def grind_corn(corn):
            \"\"\"Corn is ground between two stones.\"\"\"
            if not corn:
                raise GrindError("corn")
        """,
        '`grind_corn` is documented as "Corn is ground between two stones".',
    ),
    "sentence of several lines is not cut": (
        """
        //- mill.py
        class GrindError(Exception): ...
        def grind_corn(corn):
            \"\"\"Corn is ground between two stones or
            is not ground at all.
            \"\"\"
            if not corn:
                raise GrindError("corn")
        """,
        "`grind_corn` has a line that matches `corn`.",
    ),
    "ubiquitous callee comes last": (
        """
        //- mill.py
        from tools import label
        def grind_corn(corn):
            label(corn)
            turn(corn)
        def turn(corn): ...
        //- tools.py
        def label(thing): ...
        """
        + "".join(
            f"def pack_{at}(thing):\n            label(thing)\n        " for at in range(600)
        ),
        "`grind_corn` calls `turn`.",
    ),
    "call that only supplies a value comes last": (
        """
        //- mill.py
        class Mill:
            def stones(self):
                return 2
            def turn(self):
                self.sweep()
            def sweep(self): ...
        def grind_corn(mill: Mill):
            if mill.stones():
                mill.turn()
        """,
        "`grind_corn` calls `Mill.turn`.",
    ),
}


@pytest.mark.parametrize("case", MOST_INFORMATIVE_FACTS)
async def test_most_informative_call_is_stated(tmp_path: Path, case: str):
    fixture, fact = MOST_INFORMATIVE_FACTS[case]
    request = ExploreRequest(query="Where does grind_corn grind corn?", intent="locate")
    report = await answer_request(request, tmp_path, dedent(fixture))
    assert fact in [link.fact for link in report.links], report.links


@pytest.mark.parametrize(
    "line",
    ["corn = []", "corn = None", "import corn", "for corn in []: pass"],
)
async def test_line_without_an_action_is_not_quoted(tmp_path: Path, line: str):
    """Except heads of loops, which may say what is iterated."""
    fixture = f"""
//- mill.py
def grind_corn(mill):
    {line}
    for each in mill.sacks:
        each.corn()
"""
    request = ExploreRequest(query="Where does grind_corn grind corn?", intent="locate")
    report = await answer_request(request, tmp_path, fixture)
    expected = line if line.startswith("for") else "each.corn()"
    assert expected in [link.quote for link in report.links], report.links


@pytest.mark.parametrize("shell", ["Powershell", "Zsh"])
async def test_call_matching_the_question_is_quoted(tmp_path: Path, shell: str):
    request = ExploreRequest(query=f"How is history imported from {shell}?", intent="explain")
    report = await answer_request(request, tmp_path, IMPORTS)
    expected = ("`run_import` calls `load_history`.", f"return load_history({shell}())")
    assert expected in [(link.fact, link.quote) for link in report.links]


VOTES = """
//- votes.py
def cast_vote(voter, thing):
    thing.points += 1
//- comments.py
from votes import cast_vote
class Comments:
    def upvote(self, voter): cast_vote(voter, self)
    def unvote(self, voter): cast_vote(voter, self)
//- stories.py
from votes import cast_vote
class Stories:
    def upvote(self, voter): cast_vote(voter, self)
    def unvote(self, voter): cast_vote(voter, self)
"""


@pytest.mark.parametrize(
    ("thing", "callers"),
    [
        ("comment", "`Comments.upvote`, `Comments.unvote` and others"),
        ("story", "`Stories.upvote`, `Stories.unvote` and others"),
    ],
)
async def test_callers_matching_the_question_are_named(tmp_path: Path, thing: str, callers: str):
    request = ExploreRequest(query=f"cast_vote: cast a vote on a {thing}", intent="locate")
    report = await answer_request(request, tmp_path, VOTES)
    assert any(f"is called by {callers}." in link.fact for link in report.links)


RETRY = """
//- retry.py
class Retry:
    turns = 0

    def one_more(self):
        self.turns += 1

def fetch_parcel(retry: Retry):
    retry.one_more()

def refill_larder(retry: Retry):
    retry.one_more()
"""


async def test_step_reached_by_a_stated_call_is_described_by_its_uses(tmp_path: Path):
    """It once named another caller, which nobody had asked about."""
    request = ExploreRequest(query="How is it fetched one more time?", intent="explain")
    report = await answer_request(request, tmp_path, RETRY)
    assert [link.fact for link in report.links][:2] == [
        "`fetch_parcel` calls `Retry.one_more`.",
        "`Retry.one_more` refers to `Retry.turns`.",
    ]


LARDER = """
//- larder.py
import ages

def tidy_larder(shelves):
    shelves.sort()
    throw_out(shelves, ages.of_jars_sealed())
    throw_out(shelves, ages.of_jars_opened_some_days_ago_by_a_hungry_cook())
    shelves.close()

def throw_out(shelves, age):
    for jar in list(shelves):
        if jar.age > age:
            shelves.remove(jar)

//- ages.py
def of_jars_opened_some_days_ago_by_a_hungry_cook():
    return 4

def of_jars_sealed():
    return 40
"""


async def test_use_of_a_value_is_stated_before_its_source(tmp_path: Path):
    """Of the lines that do it, the quoted one passes the value that was asked about."""
    question = "tidy_larder: jars opened some days ago by a hungry cook go out"
    request = ExploreRequest(query=question, intent="locate")
    report = await answer_request(request, tmp_path, LARDER)
    assert report.links[0].fact == "`tidy_larder` calls `throw_out`."
    opened = "ages.of_jars_opened_some_days_ago_by_a_hungry_cook()"
    assert report.links[0].quote == f"throw_out(shelves, {opened})"


BRANCHES = """
//- src/press.ts
export class Steam { press(cloth: string) { return 1 } }
export class Screw { press(cloth: string) { return 2 } }
export class Roller { press(cloth: string) { return 3 } }
//- src/shop.ts
import { Steam, Screw, Roller } from "./press";
export function flattenLinen(machine: Steam | Screw) { machine.press("linen") }
export function flattenSilk(machine: Steam | Screw | Roller) { machine.press("silk") }
export function flattenWool(machine: Steam) { machine.press("wool") }
"""


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        (
            "How does flattenLinen flatten linen?",
            "`flattenLinen` calls `Steam.press` or `Screw.press`.",
        ),
        (
            "How does flattenSilk flatten silk?",
            "`flattenSilk` calls `Steam.press` or one of 2 others with that name.",
        ),
        ("How does flattenWool flatten wool?", "`flattenWool` calls `Steam.press`."),
    ],
)
async def test_fact_names_or_counts_all_possible_callees(tmp_path: Path, question: str, fact: str):
    report = await answer_request(
        ExploreRequest(query=question, intent="locate"), tmp_path, BRANCHES
    )
    assert fact in [link.fact for link in report.links]


EVENTS = """
//- shop/wool.py
def weigh_wool(bus, bale):
    bus.send("bale_weighed", bale=bale)
//- more/log.py
def note_bale(bale): ...
def add_bale(bale): ...
def enter(bus):
    bus.listen("bale_weighed", note_bale)
"""
BOTH = 'bus.listen("bale_weighed", note_bale)\n    bus.listen("bale_weighed", add_bale)'


@pytest.mark.parametrize(
    ("fixture", "others"),
    [
        (EVENTS, ", judging by the name."),
        (
            EVENTS.replace('bus.listen("bale_weighed", note_bale)', BOTH),
            " or another, judging by the name.",
        ),
    ],
)
async def test_event_handlers_are_named_by_their_own_names(
    tmp_path: Path, fixture: str, others: str
):
    question = "How does weigh_wool lead to note_bale?"
    report = await answer_request(
        ExploreRequest(query=question, intent="explain"), tmp_path, fixture
    )
    facts = [link.fact for link in report.links]
    assert f"`weigh_wool` sends to `note_bale`{others}" in facts


ROBOTS = """
//- app/run.rb
class Nightly
  def refresh_ledger
    write_ledger
  end
  def write_ledger
    @rows = counting.count_ledger
  end
  def counting
    if @late
      Slow.new
    else
      Quick.new
    end
  end
end
//- app/base.rb
class Base
  def tally_ledger(by)
    sum_ledger(by) + 1
  end
  def sum_ledger(by)
    by + 2
  end
end
//- app/slow.rb
class Slow < Base
  def count_ledger
    tally_ledger(1)
  end
end
//- app/quick.rb
class Quick < Base
  def count_ledger
    tally_ledger(3)
  end
end
"""


async def test_alternative_callee_is_mentioned_once(tmp_path: Path):
    question = "How do refresh_ledger, Slow.count_ledger, Quick.count_ledger, tally_ledger work?"
    report = await answer_request(
        ExploreRequest(query=question, intent="explain"), tmp_path, ROBOTS
    )
    facts = [link.fact for link in report.links]
    (statement,) = (fact for fact in facts if fact.startswith("`Nightly.write_ledger` calls"))
    assert statement.count("count_ledger`") == 2
    assert "`Slow.count_ledger`" in statement
    assert "`Quick.count_ledger`" in statement


NAMELESS = """
//- lib/is-stream.js
module.exports = (stream) => stream.pipe
//- lib/spool/index.js
export default {
  wind() {},
}
//- Reel.vue
<script>
export default { turn() {} }
</script>
//- reel.py
exports = 1
//- plugin.title.js
export default { start() {} }
//- -Bobbin.kt
class `-Bobbin` { fun `fills up`() {} }
//- Shuttle.kt
class Shuttle { fun Weft.throwIt() {} }
//- loom.js
loom.on("warp.end", () => { function tie() {} });
//- thread.rs
impl<T> Wound for (
    Cut,
    Thread<
        T,
        Twist<FibreOfTheFirstLength, FibreOfTheSecondLength, Fibre<ThreadOfThreads, Twist<T>>>,
    >,
) {
    fn wind() {}
}
"""


@pytest.mark.parametrize(
    ("path", "labels"),
    [
        ("lib/is-stream.js", ["`is-stream`"]),
        ("lib/spool/index.js", ["`spool`", "`spool.wind`"]),
        ("Reel.vue", ["`Reel`", "`Reel.turn`"]),
        ("reel.py", ["`exports`"]),
        ("plugin.title.js", ["`plugin.title`", "`plugin.title.start`"]),
        ("-Bobbin.kt", ["`-Bobbin`", "`-Bobbin.fills up`"]),
        ("Shuttle.kt", ["`Shuttle`", "`Shuttle.throwIt`"]),
        ("loom.js", ['`loom.on("warp.end")`', "`tie`"]),
        ("thread.rs", ["`(Cut, Thread).wind`"]),
    ],
)
def test_labels_of_definitions(path: str, labels: list[str]):
    """Anonymous definitions are named after their file, and members also after their type. Names
    contain no backticks, which would end the code span."""
    graph = SymbolGraph(facts_of(NAMELESS)[0])
    assert [called(symbol) for symbol in graph.symbols_in(path)] == labels


async def test_member_of_a_nameless_export_is_described(tmp_path: Path):
    """`plugin.title` was once mistaken for an unobserved file."""
    fixture = (
        "//- plugin.title.js\nexport default {\n  drawCaption() { measure() } }\n"
        "function measure() {}\n"
    )
    request = ExploreRequest(query="drawCaption: draw the caption", intent="locate")
    report = await answer_request(request, tmp_path, fixture)
    assert "`plugin.title.drawCaption` calls `measure`." in [link.fact for link in report.links]
    assert report.dropped == ()


@pytest.mark.parametrize(
    ("fixture", "name", "facts"),
    [
        (
            "//- a.py\nclass Cask:\n    pass\ndef brew():\n    return Cask()\n",
            "Cask",
            ("`brew` creates `Cask`.", "`Cask` is created by `brew`."),
        ),
        (
            "//- a.go\npackage a\ntype Cask struct{}\nfunc brew() Cask { return Cask{} }\n",
            "Cask",
            ("`brew` creates `Cask`.", "`Cask` is created by `brew`."),
        ),
        (
            "//- a.kt\nabstract class Cask\nclass Oak : Cask()\n",
            "Cask",
            (
                "`Oak` calls the constructor of `Cask`.",
                "`Cask` has its constructor called by `Oak`.",
            ),
        ),
        (
            "//- a.rs\nenum Cask { Full(u8), Empty }\nfn brew() { pour(Cask::Full(1)) }\n",
            "Cask.Full",
            ("`brew` creates `Cask.Full`.", "`Cask.Full` is created by `brew`."),
        ),
        (
            "//- a.py\ndef fill():\n    pass\ndef brew():\n    fill()\n",
            "fill",
            ("`brew` calls `fill`.", "`fill` is called by `brew`."),
        ),
    ],
)
def test_types_are_created_and_functions_called(fixture: str, name: str, facts: tuple[str, str]):
    """Constructor calls were once described as plain calls."""
    graph = graph_of(fixture)
    path = fixture.split()[1]
    (target,) = (symbol for symbol in graph.symbols_in(path) if symbol.qualified_name == name)
    edges = [edge for edge in graph.incoming(target.id) if edge.relation == "calls"]
    assert (of_edge(graph, edges[0]), of_target(graph, edges)) == facts


def test_a_function_is_assigned_to_a_field() -> None:
    graph = graph_of("""
//- reel.c
struct reel { int (*turn)(int times); };
static int turn_fast(int times) { return times; }
static int turn_slow(int times) { return times; }
static const struct reel fast = { .turn = turn_fast };
static const struct reel slow = { .turn = turn_slow };
int wind(const struct reel *reel) { return reel->turn(1); }
""")
    fast, wind = id_of(graph, "turn_fast"), id_of(graph, "wind")
    assigned = graph.overrides(fast)
    assert of_edge(graph, assigned[0]) == "`turn_fast` is assigned to `reel.turn`."
    assert of_target(graph, assigned) == "`reel.turn` is assigned `turn_fast`."
    (call,) = (each for each in graph.uses(wind) if each.relation == "calls")
    sentence = "`wind` calls `reel.turn`, which may be `turn_fast`"
    further = {0: "", 1: " or another", 2: " or one of 2 others", None: ""}
    for others, added in further.items():
        assert of_edge(graph, call, overriding=fast, others=others) == f"{sentence}{added}."


def test_continuation_omits_symbols_named_like_the_ends() -> None:
    graph = graph_of("""
//- Reel.java
class Reel {
    void turn() { turn(1); }
    void turn(int times) { wind(times); }
    void wind(int times) { }
}
""")
    whole, once, wind = (s.id for s in graph.symbols_in("Reel.java") if s.kind == "method")
    (edge,) = (each for each in graph.uses(once) if each.relation == "calls")
    assert of_edge(graph, edge, (whole, wind)) == "`Reel.turn` calls `Reel.wind`."


@pytest.mark.parametrize(
    ("relation", "fact"),
    [
        ("calls", "`Spool.turn` is called by itself."),
        ("overrides", "`Spool.turn` is overridden by another `Spool.turn`."),
    ],
)
def test_passive_sentences_distinguish_equal_names(relation: str, fact: str):
    graph = graph_of("""
//- reels/base.py
class Spool:
    def turn(self, times):
        return self.turn(times - 1)
//- reels/wide.py
from reels import base

class Spool(base.Spool):
    def turn(self, times):
        return times
""")
    target = next(each for each in graph.symbols_in("reels/base.py") if each.name == "turn")
    edges = graph.incoming(target.id)
    assert of_target(graph, [each for each in edges if each.relation == relation]) == fact


def test_super_constructor_call_is_not_worded_as_creation() -> None:
    cask = "class Cask { Cask(int x) { } Cask copy() { return new Cask(1); } }"
    oak = "class Oak extends Cask { Oak() { super(1); } Cask other() { return new Cask(2); } }"
    graph = graph_of(f"//- a.java\n{cask}\n{oak}\n")
    uses = (graph.uses(symbol.id) for symbol in graph.symbols_in("a.java"))
    made = [of_edge(graph, e) for edges in uses for e in edges if e.relation == "calls"]
    assert made == [
        "`Cask.copy` creates `Cask`.",
        "`Oak.Oak` calls the constructor of `Cask`.",
        "`Oak.other` creates `Cask`.",
    ]
