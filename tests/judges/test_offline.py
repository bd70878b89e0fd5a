"""What the offline judge answers, and with which confidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import Confidence, ExploreRequest, Intent, Report, Settings
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.workers import explorer_of

STORE = """
//- store/cache.py
# Elsewhere there may be a quarantine for what somebody sent, where it waits until somebody looks.
# Nothing of that kind is here, nor does anything in these lines know who is suspicious or why, and
# whoever wants a mailbox, or a folder of letters, or a box for parcels, has to bring one along.
# There are other tools for that, of which some come with an antivirus and some without; they have
# manuals of their own, with many pages, and what one of them reports is between you and that tool.



class Cache:
    def __init__(self):
        self.entries = {}

    def expire_entry(self, entry):
        del self.entries[entry.key]
//- store/server.py
from store.cache import Cache


def serve(cache: Cache, request):
    return cache.entries[request]
//- store/client.py
def connect(address):
    return address.open()
"""


@pytest.mark.parametrize(
    ("question", "confidence"),
    [
        ("Cache: expire entry", "high"),
        ("Cache: expire entry of airships", "medium"),
        (
            "Quarantine of suspicious parcels, mailbox tools, customs stickers and antivirus "
            "reports: expire entry",
            "medium",
        ),
        ("Where is the balloon inflated over the lagoon?", "low"),
        ("How long until a rented airship may expire entry?", "medium"),
        ("How long until an entry to a rented airship may expire?", "low"),
    ],
)
async def test_confidence_depends_on_words_found_in_the_flow(
    tmp_path: Path, question: str, confidence: Confidence
):
    """In the second question, nothing has the most distinctive word. In the third, such words are
    in the right file, outside the flow. In the last two, the same words are adjacent and apart."""
    report = await answer_question(tmp_path, STORE, question)
    assert report.confidence == confidence, report.links


async def test_only_file_does_not_raise_confidence(tmp_path: Path):
    """Its probability is 1 for any question, so the words must decide."""
    only = STORE[: STORE.index("//- store/server.py")]
    report = await answer_question(
        tmp_path, only, "How long until a rented airship may expire entry?"
    )
    assert report.confidence == "medium", report.links


ATTIC = "".join(
    f"//- attic/box{at}.py\n# What is this for?\n"
    f"def open_{at}(lid):\n    return shake_{at}(lid)\n\ndef shake_{at}(lid): ...\n"
    for at in range(40)
)


@pytest.mark.parametrize(
    ("question", "line", "is_low"),
    [
        ("what is this for", None, True),
        ("what is this for", 2, False),
        ("what is open_7 for", None, False),
    ],
)
async def test_question_of_common_words_has_low_confidence(
    tmp_path: Path, question: str, line: int | None, is_low: bool
):
    """Its words are adjacent in many places. Confidence is low unless the question has an anchor or
    a name."""
    anchor = None if line is None else {"path": "attic/box7.py", "line": line}
    request = ExploreRequest.model_validate(
        {"query": question, "intent": "explain", "anchor": anchor}
    )
    report = await answer_request(request, tmp_path, ATTIC)
    assert (report.confidence == "low") == is_low, report.links


BARN = """
//- barn/hay.py
def dry_hay_in_the_loft(hay):
    {call}

def turn_hay_in_the_loft(hay):
    hay.turned = True
//- barn/cows.py
def milk(cow): ...
//- barn/hens.py
def feed(hen): ...
"""


@pytest.mark.parametrize(
    ("call", "confidence", "missing"),
    [
        ("turn_hay_in_the_loft(hay)", "high", ()),
        ("hay.dry = True", "medium", ("no call connecting these places was found",)),
    ],
)
async def test_unconnected_definitions_lower_confidence_and_are_reported(
    tmp_path: Path, call: str, confidence: Confidence, missing: tuple[str, ...]
):
    question = "How is hay in the loft dried and turned?"
    report = await answer_question(tmp_path, BARN.format(call=call), question, "explain")
    assert report.confidence == confidence, report.links
    assert report.missing == missing


async def test_flow_through_a_nested_function_has_medium_confidence(tmp_path: Path):
    nested = """
//- barn/hay.py
def dry_hay_in_the_loft(hay, barn):
    "Hay in the loft is dried and turned."
    hay.dried = barn.loft

    @barn.every_day
    def turn_hay_in_the_loft(hay):
        rake_hay_in_the_loft(hay)

def rake_hay_in_the_loft(hay):
    hay.turned = True
//- barn/cows.py
def milk(cow): ...
//- barn/hens.py
def feed(hen): ...
"""
    report = await answer_question(
        tmp_path, nested, "How is hay in the loft dried and turned?", "explain"
    )
    assert (len(report.links), report.confidence) == (2, "medium"), report.links


EXPIRE = "Expire the entry of a row, cell, page, line or book when they connect"


@pytest.mark.parametrize(
    ("question", "holder", "missing"),
    [
        (
            "Let the airship expire an entry of the book",
            "Book",
            ["nothing in the index contains `airship`"],
        ),
        (EXPIRE, "Book", ["no place shown contains `connect`"]),
        (EXPIRE, "Connect", []),
        ("Cache: expire entry", "Book", []),
    ],
)
async def test_distinctive_words_in_no_shown_place_are_reported_missing(
    tmp_path: Path, question: str, holder: str, missing: list[str]
):
    """Not reported: words that only form the sentence, any words if confidence is high, and words
    that name the type of a shown member. Words found elsewhere and nowhere are listed apart."""
    others = "".join(
        f"//- others/o{at}.py\n# Let the one of an other by.\ndef other_{at}(): ...\n"
        for at in range(30)
    )
    rest = "".join(
        f"//- store/{kind}.rs\nimpl {around} {{\n    fn other() {{}}\n\n"
        f"    fn expire_{kind}(entry: Entry) {{\n"
        "        // expire the entry of a row or cell or page or line or book\n"
        "        entry.expire()\n    }\n}\n"
        for kind in ("row", "cell", "page", "line", "book")
        for around in [holder if kind == "cell" else "Book"]
    )
    report = await answer_question(tmp_path, STORE + others + rest, question, "edit")
    assert list(report.missing) == missing


async def test_nothing_is_reported_missing_before_indexing_is_complete(tmp_path: Path):
    """Files that a first answer did not reach may contain them."""
    request = ExploreRequest(query="Who calls Cache.drop_all_entries?")
    others = "".join(f"//- others/o{at}.py\ndef other_{at}(): ...\n" for at in range(400))
    folder = parse(STORE + others).write(tmp_path / "files")
    explorer = explorer_of(
        Workspace.open(folder, settings=Settings(cache_dir=str(tmp_path / "cache")))
    )
    try:
        first = await explorer.explore(request)
        explorer.watch()
        await explorer.settle()
        second = await explorer.explore(request)
    finally:
        await explorer.close()
    assert (first.coverage.indexed < first.coverage.total, first.missing) == (True, ())
    assert second.missing == ("nothing in the index is named `drop_all_entries`",)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Where is drop_all_entries?", "`drop_all_entries`"),
        ("Who calls Cache.drop_all_entries?", "`drop_all_entries`"),
        ("Rename Cache.dropped to expire_entry", "`dropped`"),
        ("Who calls Cache.drop?", "`drop`"),
        ("Who calls Cache::dropAll, and why?", "`dropAll`"),
        # It may be the new name, an external name, or not a name.
        ("Rename expire_entry to drop_all_entries", None),
        ("Where does Cache.expire_entry use redis.dropped, e.g. to expire?", None),
        ("Who calls Cache.connect?", None),
        ("Is --drop-all-entries the same as expire_entry?", None),
    ],
)
async def test_unknown_name_is_reported_missing(tmp_path: Path, question: str, names: str | None):
    """And it is not repeated as a word that no place has."""
    report = await answer_question(tmp_path, STORE, question)
    missing_names = [each for each in report.missing if "is named" in each]
    assert missing_names == ([f"nothing in the index is named {names}"] if names else [])
    assert not names or report.confidence != "high"
    assert not any(names.strip("`") in each for each in report.missing[1:] if names)


RUST = """
//- src/door.rs
pub struct Door { open: bool }
impl Door {
    pub fn lock_bolt(&mut self) { turn(self) }
}
fn turn(door: &mut Door) { door.open = false; }

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn lock_bolt_turns_the_bolt_of_a_door_lock() {
        let mut door = Door { open: true };
        door.lock_bolt();
    }
}
"""


@pytest.mark.parametrize(
    ("question", "first", "covering"),
    [
        ("How does lock_bolt turn the bolt of a door lock?", 3, [10]),
        ("Which tests turn the bolt of a door lock?", 10, []),
    ],
)
async def test_tests_inside_code_files_come_last_unless_asked_for(
    tmp_path: Path, question: str, first: int, covering: list[int]
):
    """And they are offered together with the code they cover."""
    report = await answer_question(tmp_path, RUST, question, "edit")
    ranges = [each.range for each in report.primary if each.range]
    assert ranges[0].start == first
    tests = [each for each in report.read_targets if each.purpose.startswith("a test")]
    assert [each.range.start for each in tests if each.range] == covering


OVERRIDDEN = """
//- stock/store.py
class Store:
    def save(self, item): ...

class DiskStore(Store):
    def save(self, item):
        write_to_disk(item)
//- stock/shelf.py
from stock.store import DiskStore, Store

class Shelf:
    def __init__(self, store: Store):
        self.store = store

    def put(self, item):
        self.store.save(item)

def refill(store: DiskStore):
    store.save(None)
"""


@pytest.mark.parametrize("intent", ["explain", "locate", "edit", "debug"])
@pytest.mark.parametrize(
    "question",
    [
        "DiskStore.save: write to disk",
        "How is an item put on a shelf and saved?",
        "Who calls Shelf.put?",
        "What is at stock/shelf.py:10?",
    ],
)
@pytest.mark.parametrize("scope", ["stock/store.py", "!stock/shelf.py"])
async def test_only_files_of_the_scope_are_shown(
    tmp_path: Path, scope: str, question: str, intent: Intent
):
    request = ExploreRequest(query=question, intent=intent, scope=(scope,))
    report = await answer_request(request, tmp_path, OVERRIDDEN)
    shown_paths = {each.path for each in (*report.links, *report.read_targets, *report.primary)}
    assert shown_paths <= {"stock/store.py"}


async def test_users_through_overridden_member_come_after_direct_users(tmp_path: Path):
    report = await answer_question(tmp_path, OVERRIDDEN, "DiskStore.save: write to disk")
    assert [link.fact for link in report.links if link.role == "user"] == [
        "`refill` calls `DiskStore.save`.",
        "`Shelf.put` calls `Store.save`, which `DiskStore.save` overrides.",
    ]


async def test_field_holding_functions_is_called_not_overridden(tmp_path: Path):
    """What assigns another function to the field of the subject is no user of the subject."""
    fixture = """
//- driver.h
struct driver { int (*draw)(int frame); };
//- gpu.c
#include "driver.h"
static int draw_frame(int frame) { return frame; }
static const struct driver gpu = { .draw = draw_frame };
//- cpu.c
#include "driver.h"
static int draw_slowly(int frame) { return frame + 1; }
static const struct driver cpu = { .draw = draw_slowly };
void forget(struct driver *chosen) { chosen->draw = 0; }
//- main.c
#include "driver.h"
int show(const struct driver *chosen) { return chosen->draw(1); }
"""
    report = await answer_question(tmp_path, fixture, "draw_frame: draw a frame")
    assert [link.fact for link in report.links if link.role == "user"] == [
        "`gpu` refers to `draw_frame`.",
        "`show` calls `driver.draw`, which may be `draw_frame` or another.",
    ]


@pytest.mark.parametrize(
    ("types", "fact"),
    [
        (1, "`winding` calls `T0.turn`, judging by the name."),
        (2, "`winding` calls `T0.turn` or another with that name."),
        (3, "`winding` calls `T0.turn` or one of 2 others with that name."),
    ],
)
async def test_fact_says_that_a_call_is_resolved_by_name_only(
    tmp_path: Path, types: int, fact: str
):
    classes = (f"class T{at}:\n    def turn(self): ...\n" for at in range(types))
    fixture = "//- wheel.py\ndef winding(thing):\n    thing.turn()\n" + "".join(classes)
    report = await answer_question(tmp_path, fixture, "T0.turn: winding", "explain")
    assert fact in [link.fact for link in report.links]


@pytest.mark.parametrize("name", ["min", "log", "has", "name", "py", "parse"])
async def test_callee_whose_name_looks_like_a_file_is_named(tmp_path: Path, name: str):
    """`Tray.min` was once mistaken for an unobserved file, and the step was dropped."""
    fixture = f"""
//- wheel.py
from stock import Tray

def winding(tray: Tray):
    tray.{name}()
//- stock.py
class Tray:
    def {name}(self): ...
"""
    request = ExploreRequest(query="How is winding done?", scope=("wheel.py",))
    report = await answer_request(request, tmp_path, fixture)
    assert f"`winding` calls `Tray.{name}`." in [link.fact for link in report.links]
    assert report.dropped == ()


@pytest.mark.parametrize("intent", ["explain", "locate", "edit", "debug"])
async def test_best_places_outside_the_flow_follow_it(tmp_path: Path, intent: Intent):
    beside = OVERRIDDEN + "//- stock/old.py\ndef put_old_item(thing):\n    ...\n"
    report = await answer_question(tmp_path, beside, "How is an item put on a shelf?", intent)
    links = [(link.role == "also", link.path) for link in report.links]
    assert (True, "stock/old.py") in links
    assert links == sorted(links, key=lambda each: each[0])
    assert len({(link.path, link.range.start) for link in report.links}) == len(links)


WINDMILL = """
//- mill/grinding.py
from mill.dust import blow_dust_of_grain

def grind_grain(grain):
    lift_stone(grain)
    {call}

def lift_stone(stone): ...
//- mill/dust.py
from mill.grinding import grind_grain

def blow_dust_of_grain(dust):
    {back}
"""


@pytest.mark.parametrize(
    ("call", "back", "shown"),
    [
        ("grain.wet = False", "dust.blown = True", False),
        ("blow_dust_of_grain(grain)", "dust.blown = True", True),
        ("grain.wet = False", "grind_grain(dust)", True),
    ],
)
async def test_low_ranked_place_is_shown_only_if_connected_to_a_step(
    tmp_path: Path, call: str, back: str, shown: bool
):
    fixture = WINDMILL.format(call=call, back=back)
    question = "How does grind_grain grind grain and lift a stone?"
    report = await answer_question(tmp_path, fixture, question, "explain")
    assert ("mill/dust.py" in {link.path for link in report.links}) == shown, report.links


GRIST = """
//- mill/work.py
from mill.sieve import sift_grain
from mill.stones import crush_grain

def work_the_mill_to_sift_crush_and_grind_grain(grain):
    {call}
    crush_grain(grain)
//- mill/stones.py
def crush_grain(grain):
    # Crush the grain that the mill is to sift and grind.
    grind_grain(grain)

def grind_grain(grain):
    # Grind the grain that the mill does sift and crush.
    grain.ground = True
//- mill/sieve.py
def sift_grain(grain):
    # Sift the grain that the mill is to crush and grind.
    {sift}
//- mill/old.py
def crush_and_grind_old_grain(thing):
    # How the mill is.
    thing.ground = True
//- mill/new.py
def crush_and_grind_new_grain(thing):
    # How the mill is.
    thing.ground = True
"""
GRIST_LED = "It is called by `work_the_mill_to_sift_crush_and_grind_grain`."


@pytest.mark.parametrize(
    ("call", "sift", "beside"),
    [
        (
            "sift_grain(grain)",
            "grain.sifted = True",
            [GRIST_LED.replace("It", "`sift_grain`"), "`crush_and_grind_"],
        ),
        (
            "sift_grain(grain)",
            "sift_grain(None)",
            [f"`sift_grain` calls itself. {GRIST_LED}", "`crush_and_grind_"],
        ),
        ("grain.sifted = True", "grain.sifted = True", ["`crush_and_grind_"] * 2),
    ],
)
async def test_callees_of_steps_precede_unconnected_places(
    tmp_path: Path, call: str, sift: str, beside: list[str]
):
    """Even if it is not among the best three. The call is quoted, because no hop shows it."""
    fixture = GRIST.format(call=call, sift=sift)
    question = "How does the mill sift, crush and grind grain?"
    report = await answer_question(tmp_path, fixture, question, "explain")
    facts = [link.fact for link in report.links if link.role == "also"]
    assert len(facts) == len(beside), facts
    assert all(fact.startswith(start) for fact, start in zip(facts, beside, strict=True)), facts


KILN = """
//- kiln/base.py
class Firing:
    def fire(self, pot): ...
"""


@pytest.mark.parametrize(
    ("documentation", "count"),
    [
        (["Fires a pot in the kiln."] * 3, 1),
        (["Fires a pot in the kiln.", "Fires the pot in a kiln.", "Fires a pot in the kiln."], 2),
    ],
)
async def test_overrides_with_the_same_documentation_are_shown_once(
    tmp_path: Path, documentation: list[str], count: int
):
    kinds = "".join(
        f"//- kiln/firing{at}.py\nfrom kiln.base import Firing\n\nclass Firing{at}(Firing):\n"
        f'    def fire(self, pot):\n        """{text}"""\n        pot.done = True\n'
        for at, text in enumerate(documentation)
    )
    report = await answer_question(tmp_path, KILN + kinds, "How is a pot fired in the kiln?")
    assert len([link for link in report.links if ".fire`" in link.fact]) == count, report.links


async def test_calls_between_overloads_are_not_mentioned(tmp_path: Path):
    """Calls between overloads are not worth mentioning."""
    fixture = """
//- src/Bell.java
class Bell {
    void ring(int times) {
        ring(times, 9);
        swing(times);
    }
    void ring(int times, int weight) { this.rung = times; }
    void swing(int times) { this.swung = times; }
}
//- src/Tower.java
class Tower {
    void strike(Bell bell) { bell.ring(12, 3); }
}
"""
    for intent in ("locate", "explain"):
        report = await answer_question(
            tmp_path / intent, fixture, "Where does a bell ring?", intent
        )
        alone = ("calls another", "`Bell.ring` is called by `Bell.ring`")
        facts = [link.fact for link in report.links if link.role != "user"]
        assert not [fact for fact in facts if any(map(fact.count, alone))]


OTHERS = "".join(f"def other_{at}(): ...\n" for at in range(60))
CLOCKS = f"//- others.py\n{OTHERS}//- clock.py\n" + "".join(
    f"def wind_the_{kind}_clock(clock):\n    clock.spring.wind_{kind}()\n"
    for kind in ("tall", "small", "old", "odd", "new", "red", "grey")
)
BROOM = """//- attic.py
def tidy_the_attic(attic):
    # Wind the clock.
    attic.clock.wind()
"""


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("How does somebody wind the clock?", True),
        ("How does somebody wind the tall clock by hand?", False),
    ],
)
async def test_place_ranked_far_behind_is_no_read_target(tmp_path: Path, question: str, read: bool):
    report = await answer_question(tmp_path, CLOCKS + BROOM, question)
    assert ("attic.py" in {each.path for each in report.read_targets}) == read


@pytest.mark.parametrize("intent", ["explain", "debug"])
async def test_optional_read_targets_add_well_ranked_places_not_in_the_flow(
    tmp_path: Path, intent: Intent
):
    report = await answer_question(tmp_path, CLOCKS, "How does somebody wind the clock?", intent)
    linked = {link.id for link in report.links}
    read = [each.id for each in report.read_targets if not each.required]
    assert linked.isdisjoint(read)
    assert len(read) == len(set(read)) > 2
    assert {each.path for each in report.read_targets} == {"clock.py"}


@pytest.mark.parametrize("intent", ["explain", "locate", "edit", "debug"])
async def test_primary_places_are_the_first_of_the_ranking(tmp_path: Path, intent: Intent):
    """The primary places followed by the ranking are the ranking's own order. The best place of a
    file ranked far behind is a place to read, and does not precede better ones."""
    request = ExploreRequest(query="How does somebody wind the clock?", intent=intent)
    report = await answer_request(request, tmp_path, CLOCKS + BROOM, explain_ranking=True)
    ranked = [each.id for each in report.candidates or ()]
    assert report.primary
    assert [each.id for each in report.primary] == ranked[: len(report.primary)]
    behind = "attic.py" in {each.path for each in report.read_targets}
    assert behind == (intent != "edit"), "what is not changed has to have to do with what is"


async def answer_question(
    tmp_path: Path, fixture: str, question: str, intent: Intent = "locate"
) -> Report:
    return await answer_request(ExploreRequest(query=question, intent=intent), tmp_path, fixture)


async def answer_request(
    request: ExploreRequest, tmp_path: Path, fixture: str, *, explain_ranking: bool = False
) -> Report:
    folder = parse(fixture).write(tmp_path / "files")
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    explorer = explorer_of(Workspace.open(folder, settings=settings))
    try:
        return await explorer.explore(request, explain_ranking=explain_ranking)
    finally:
        await explorer.close()


LONG = (
    "//- store/long.py\ndef sweep_the_attic(attic):\n"
    + "".join(f"    attic.shelf_{at}.dust()\n" for at in range(100))
    + "\n\ndef sweep_the_cellar(cellar):\n    cellar.dust()\n"
)


@pytest.mark.parametrize(
    ("intent", "prefix"), [("explain", ""), ("locate", ""), ("edit", "change here: ")]
)
async def test_read_target_purposes_say_what_they_show(tmp_path: Path, intent: Intent, prefix: str):
    """And which one to change, if the question asks for a change."""
    report = await answer_question(
        tmp_path, LONG, "How does sweep_the_attic sweep the attic?", intent
    )
    required, *others = report.read_targets
    assert required.purpose == f"{prefix}part of `sweep_the_attic`"
    assert {each.purpose for each in others} <= {"part of `sweep_the_attic`", "`sweep_the_cellar`"}


@pytest.mark.parametrize(("called", "commented"), [(40, (10, 60)), (70, (30, 85))])
@pytest.mark.parametrize("intent", ["explain", "locate", "edit", "debug"])
async def test_part_of_a_long_definition_is_one_place(
    tmp_path: Path, intent: Intent, called: int, commented: tuple[int, int]
):
    """The link and the read target have the same lines, even if the quoted line is off-centre."""
    lines = [f"    attic.shelf_{at}.dust()\n" for at in range(150)]
    lines[called] = "    take_broom(attic)\n"
    for at in commented:
        lines[at] = "    # Sweep the attic with the broom.\n"
    body = "".join(lines)
    fixture = f"""
//- long.py
def sweep(attic):
{body}
def take_broom(room):
    room.broom = None
"""
    report = await answer_question(
        tmp_path, fixture, "How is the attic swept with a broom?", intent
    )
    long = {link.id for link in report.links if len(link.range) > 2}
    assert long
    assert long <= {each.id for each in (*report.read_targets, *report.primary)}, report


@pytest.mark.parametrize(("intent", "read"), [("explain", False), ("edit", True)])
async def test_header_declaration_is_a_read_target_only_for_changes(
    tmp_path: Path, intent: Intent, read: bool
):
    fixture = f"""
//- mill.h
namespace mill {{
/// Grinds the hay of a loft.
void grind_hay(int hay, int loft);
}}
//- mill.cpp
#include "mill.h"
/// Grinds the hay of a loft.
void mill::grind_hay(int hay, int loft) {{
    stones.turn(hay);
}}
//- farm.cpp
#include "mill.h"
void harvest(int loft) {{
    mill::grind_hay(1, loft);
}}
//- others.py
{OTHERS}"""
    report = await answer_question(
        tmp_path, fixture, "How does grind_hay take hay of a loft?", intent
    )
    assert "mill.cpp" in {link.path for link in report.links}
    assert ("mill.h" in {each.path for each in report.read_targets}) == read
    assert "mill.h" not in {link.path for link in report.links}


async def test_nested_function_line_is_not_quoted_for_the_outer_one(tmp_path: Path):
    steps = "".join(f"    room.move({at})\n" for at in range(90))
    fixture = f"""
//- farm.py
from loft import dry_hay

def harvest_hay(room):
    dry_hay(room)
//- loft.py
def dry_hay(room):
    def turn(hay):
        hay.fork = "turn the hay by its moisture"
{steps}
{OTHERS}"""
    question = "How does harvest_hay dry_hay by its moisture?"
    report = await answer_question(tmp_path, fixture, question, "explain")
    quotes = {link.fact.split("`")[1]: link.quote for link in report.links}
    assert "moisture" not in quotes["dry_hay"]


async def test_best_part_of_a_long_function_is_shown_beside_its_hop(tmp_path: Path):
    swept = "".join(f"    room.sweep({at})\n" for at in range(150))
    fixture = f"""
//- loft.py
from mill import grind

def dry_hay(room, hay):
    if hay.moisture > room.moisture:
        hay.turn(room.hay_fork)
    hay.dry(room.window)
{swept}
    return grind(room)
//- mill.py
def grind(room):
    room.hay_grain.sell()
{OTHERS}"""
    question = "How does dry_hay turn the hay by its moisture with the fork at the window?"
    report = await answer_question(tmp_path, fixture, question, "explain")
    (best, *_) = report.primary
    assert best.range is not None
    shown = [link for link in report.links if link.range and link.range.overlaps(best.range)]
    assert [link.role for link in shown] == ["also"]
    assert any(link.path == best.path for link in report.links if link not in shown)


async def test_covering_tests_have_reserved_read_targets(tmp_path: Path):
    """Even if there are more good places than fit."""
    rooms = "".join(f"//- {name}.py\ndef sweep_the_room(room): ...\n" for name in "abcdef")
    tests = "".join(f"def test_{at}():\n    sweep_the_room({at})\n" for at in range(5))
    others = "".join(f"def other_{at}(): ...\n" for at in range(60))
    fixture = f"{rooms}//- others.py\n{others}//- test_a.py\nfrom a import sweep_the_room\n{tests}"
    report = await answer_question(tmp_path, fixture, "sweep_the_room: use a broom", "edit")
    covering = [each.path for each in report.read_targets if "a test" in each.purpose]
    assert covering == ["test_a.py"] * 3
    assert len(report.read_targets) == 6
    assert report.dropped == ()


async def test_read_target_outside_definitions_names_matching_words(tmp_path: Path):
    """In the question's words, not in the index's terms or the words of the text."""
    report = await answer_question(
        tmp_path, "//- notes.txt\nThe attic is swept.\n", "Attics: sweep, swept"
    )
    (purpose,) = [each.purpose for each in report.read_targets]
    prefix, *words = purpose.split("`")
    assert prefix == "text that matches "
    assert set(words[::2]) <= {"attics", "swept"}


PLAIN_TEXT = """
//- sweeping.unknown
carry broom (near end -> far end)
with broom: sweep attic; carry broom (far end -> near end)
//- colours/paint.py
def mix_blue(pot): ...
def paint_attic(): return mix_blue(None)
"""


async def test_file_of_unknown_language_is_described_as_text(tmp_path: Path):
    """Not as something that happens to be defined elsewhere, and never with high confidence."""
    report = await answer_question(
        tmp_path, PLAIN_TEXT, "How is the broom taken to the far end of the attic?"
    )
    assert {(each.path, each.role) for each in report.links} == {("sweeping.unknown", "text")}
    assert report.confidence != "high"
