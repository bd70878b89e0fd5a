"""Where a new enumeration member has to be added: wherever the members are distinguished."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import Intent
from tests.judges.test_offline import answer_question

NEW = "What do I touch to add another column to the list of parcels?"
NAMES = ("SENDER", "WEIGHT", "STATE", "PRICE")
OTHERS = "".join(f"//- text/part{at}.ts\nexport function part{at}() {{}}\n" for at in range(8))


def model(*, titled: int = 4, sorted_by: int = 4, kind: str = "enum ParcelColumn") -> str:
    """A list of parcels; the first ``titled`` columns have titles, ``sorted_by`` a sort order."""
    cases = "".join(f"      case ParcelColumn.{each}: return row;\n" for each in NAMES[:titled])
    orders = "".join(f"    [ParcelColumn.{each}]: 1,\n" for each in NAMES[:sorted_by])
    return f"""
//- list/column.ts
export {kind} {{
  {", ".join(NAMES)},
}}
//- list/model.ts
import {{ ParcelColumn }} from "./column";

export class Rows {{
  titleOf(column: ParcelColumn, row: string) {{
    // What the list of parcels has above each column.
    switch (column) {{
{cases}    }}
  }}
}}
//- list/order.ts
import {{ ParcelColumn }} from "./column";

export function orderOf(column: ParcelColumn) {{
  return {{
{orders}  }}[column];
}}
{OTHERS}"""


@pytest.mark.parametrize(
    ("fixture", "intent", "question", "names"),
    [
        (model(), "edit", NEW, ["ParcelColumn", "Rows.titleOf", "orderOf"]),
        (model(sorted_by=2), "edit", NEW, ["ParcelColumn", "Rows.titleOf"]),
        # A member occurs in its own clause, as an example, or several members do.
        (
            model(),
            "edit",
            "What do I touch to add another parcel column, such as one after the state?",
            ["ParcelColumn", "Rows.titleOf", "orderOf"],
        ),
        (
            model(),
            "edit",
            "What do I touch to add another parcel column beside sender and weight?",
            ["ParcelColumn", "orderOf", "Rows.titleOf"],
        ),
        # No place has most of the members; a member is asked for; the question is not about the
        # enumeration; the intent is to locate.
        (model(titled=2, sorted_by=2), "edit", NEW, []),
        (model(), "edit", "What do I touch to change the price column of the list?", []),
        (model(), "edit", "What do I touch to change what is above the list of parcels?", []),
        (model(), "locate", "Where is what the list of parcels has above each column?", []),
    ],
)
async def test_code_that_distinguishes_the_members_comes_first(
    tmp_path: Path, fixture: str, intent: Intent, question: str, names: list[str]
):
    report = await answer_question(tmp_path, fixture, question, intent)
    counted = [link.fact for link in report.links if " members" in link.fact]
    assert [fact.split("`")[1] for fact in counted] == names
    first = [link.fact for link in report.links][: len(names)]
    assert counted == first


GO = """
//- parcel/state.go
package parcel

type ParcelState int

const (
	Waiting ParcelState = iota
	Sent
	Lost
)
//- parcel/title.go
package parcel

func Title(state ParcelState) string {
	switch state {
	case Waiting:
		return "waiting"
	case Sent:
		return "sent"
	case Lost:
		return "lost"
	}
	return ""
}
"""
KOTLIN = """
//- parcel/State.kt
sealed class ParcelState
object Waiting : ParcelState()
data class Sent(val to: String) : ParcelState()
object Lost : ParcelState()
//- parcel/Title.kt
fun title(state: ParcelState) = when (state) {
    Waiting -> "waiting"
    is Sent -> "sent"
    Lost -> "lost"
}
"""
PYTHON = """
//- parcel/state.py
from enum import Enum

class ParcelState(Enum):
    WAITING = 1
    SENT = 2
    LOST = 3

    def is_done(self):
        return self.value > 1
//- parcel/title.py
from parcel.state import ParcelState

def title(state):
    return {ParcelState.WAITING: "a", ParcelState.SENT: "b", ParcelState.LOST: "c"}[state]
"""
RUST = """
//- src/state.rs
pub enum ParcelState {
    Waiting,
    Sent(String),
    Lost { since: u64 },
}
//- src/lib.rs
mod state;
use state::ParcelState;

pub fn title(state: &ParcelState) -> &str {
    match state {
        ParcelState::Waiting => "waiting",
        ParcelState::Sent(_) => "sent",
        ParcelState::Lost { .. } => "lost",
    }
}
"""
RECORD = """
//- src/state.ts
export interface ParcelState {
  sender: string;
  weight: number;
  street: string;
  price: number;
  size: number;
}
//- src/print.ts
import { ParcelState } from "./state";

export function printed(state: ParcelState) {
  return [state.sender, state.weight, state.street, state.price, state.size];
}
"""
READ = RECORD.replace("ParcelState", "Parcel").replace(
    "size: number", "size: number; height: number; width: number; depth: number; // kept of parcels"
)
LISTED = f"""{READ}
//- src/form.js
const FIELDS = ["sender", "weight", "street", "price", "size", "height", "width", "depth"];
export const form = () => FIELDS.map(input);
const input = (field) => `<input name="${{field}}">`;
"""
PRIVATE = """
//- src/state.ts
export class ParcelState {
  sender = "";
  weight = 0;
  street = "";
  price = 0;
  size = 0;
  printed() {
    return [this.sender, this.weight, this.street, this.price, this.size];
  }
}
"""
MADE = """
//- src/state.ts
export class ParcelState {
  sender: string;
  weight: number;
  street: string;
  price: number;
  size: number;
}
export function newParcel() {
  const state = new ParcelState();
  state.sender = state.street = "";
  state.weight = state.price = state.size = 0;
  return state;
}
"""
TEMPLATE = """
//- parcel/state.go
package parcel

type ParcelState string

const (
	StateWaiting ParcelState = "waiting"
	StateSent ParcelState = "sent"
	StateLost ParcelState = "lost"
	StateKept ParcelState = "kept"
)

func Title(state ParcelState) string {
	return titles[state]
}
//- web/form.js
add("StateWaiting", "waits");
add("StateSent", "is away");
add("StateLost", "is gone");
add("StateKept", "is kept");
"""


CLASS = """
//- src/State.php
<?php
class State
{
    public const WHEN_WAITING = 'waiting';
    public const WHEN_SENT = 'sent';
    public const WHEN_LOST = 'lost';

    protected $rows = ['name'];
    protected $casts = ['age' => 'int'];
}
//- src/Titles.php
<?php
class Titles
{
    // What a parcel state is called.
    public function title($parcel)
    {
        return [State::WHEN_WAITING => 'a', State::WHEN_SENT => 'b', State::WHEN_LOST => 'c'];
    }
}
"""
ROWS = """
//- src/rows.ts
import { Kind } from "./kind";
export class ParcelRows {
  // Adds what a parcel has been through to the list of rows of parcels.
  addParcelRows(parcel: string) {
    return this.kinds().length;
  }
  kinds() {
    return [Kind.WasSent, Kind.WasLost, Kind.WasKept];
  }
}
//- src/kind.ts
export enum Kind { WasSent, WasLost, WasKept }
"""
VALUES = """
//- parcel/state.py
from enum import StrEnum

class ParcelWays(StrEnum):
    mail = "mail"
    train = "train"
    plane = "plane"
    ship = "ship"
    horse = "horse"
    drone = "drone"
    foot = "foot"
    tube = "tube"
//- parcel/send.py
from parcel.state import ParcelWays

def send_by_another_carrier(parcel):
    \"\"\"Sends a parcel by another carrier.\"\"\"
    return {
        ParcelWays.mail: 1, ParcelWays.train: 2, ParcelWays.plane: 3, ParcelWays.ship: 4,
        ParcelWays.horse: 5, ParcelWays.drone: 6, ParcelWays.foot: 7, ParcelWays.tube: 8,
    }[parcel]
"""
FEWER = VALUES.replace("    foot", "    foot: str").replace("    tube", "    tube: str")


FIELD = "What do I touch for more to be kept of parcels?"
STATE = "What do I touch to add another parcel state?"
CARRIER = "I want to send a parcel by another carrier. What do I touch?"
ROW = "What do I touch to add parcel rows of another thing?"
SENT = "What do I touch to add another parcel state, for example one when it is sent again?"

STONES = "Add a parcel state for onyx, quartz, jasper and garnet"
FAR = RECORD + "".join(
    f"//- mine/{name}{at}.ts\nexport function {name}{at}() {{\n  // {said}\n}}\n"
    for at in range(48)
    for name, said in (("dig", STONES), ("fill", "parcel state"))
)


@pytest.mark.parametrize(
    ("fixture", "question", "names_and_quotes"),
    [
        (GO, STATE, [("Lost", "Lost"), ("Title", "case Lost:")]),
        (KOTLIN, SENT, [("title", "is Sent ->")]),
        (PYTHON, STATE, [("ParcelState", "LOST = 3"), ("title", "return {ParcelState.WAITING:")]),
        (RUST, STATE, [("ParcelState", "Lost { since"), ("title", "ParcelState::Lost { .. }")]),
        (RECORD, STATE, [("ParcelState", "size: number;"), ("printed", "return [state.sender")]),
        # Even if the words of its name are less distinctive than others.
        (FAR, STONES, [("ParcelState", "size: number;"), ("printed", "return [state.sender")]),
        # Code that handles a record with a one-word name is no evidence; a list of its fields is.
        (READ, FIELD, []),
        (
            LISTED,
            FIELD,
            [("Parcel", "size: number;"), ("printed", "return ["), ("FIELDS", "const FIELDS")],
        ),
        # A record's own methods mention its fields for other reasons.
        (PRIVATE, STATE, []),
        # So does a function next to it that creates one.
        (MADE, STATE, []),
        # In a class with fields, the constants with a common prefix are the enumeration.
        (CLASS, STATE, [("State", "public const WHEN_LOST"), ("title", "return [State::")]),
        # The best place mentions all members, which are not the fields of a record.
        (VALUES, CARRIER, [("ParcelWays", "tube = "), ("send_by_another_carrier", "ParcelWays.h")]),
        (FEWER, CARRIER, []),
        # The type that contains the best ranked definition mentions all members.
        (ROWS, f"{ROW} Of a kind.", [("Kind", "export enum Kind"), ("kinds", "return [Kind.Was")]),
        # No edge leads there from another language, but it mentions the names.
        (
            TEMPLATE,
            STATE,
            [("StateKept", "StateKept ParcelState"), ("form.js", 'add("StateKept"')],
        ),
    ],
)
async def test_enumeration_is_recognised_in_every_language(
    tmp_path: Path, fixture: str, question: str, names_and_quotes: list[tuple[str, str]]
):
    report = await answer_question(tmp_path, fixture + OTHERS, question, "edit")
    counted = (" members of", " members.", " types derived ")
    links = [link for link in report.links if any(each in link.fact for each in counted)]
    assert len(links) == len(names_and_quotes)
    for link, (name, quote) in zip(links, names_and_quotes, strict=True):
        subject = link.fact.split("`")[1]
        assert name in (subject, subject.rpartition(".")[2])
        assert link.quote.startswith(quote)


async def test_mentioned_subtypes_are_said_to_be_direct(tmp_path: Path):
    """Subtypes of subtypes are not counted, whether mentioned or not."""
    fixture = KOTLIN.replace("data class Sent(val to: String)", "sealed class Sent")
    fixture = fixture.replace("object Lost", "object ByRail : Sent()\nobject Lost")
    report = await answer_question(tmp_path, fixture + OTHERS, SENT, "edit")
    total = "It mentions 3 of the 3 types derived directly from `ParcelState`."
    assert any(total in link.fact for link in report.links), report.links


FLAGS = """
//- seal/flags.h
enum ParcelFlag { Fragile = 1, Urgent = 2, Heavy = 4, Cold = 8, Usual = Fragile | Urgent };
//- seal/reset.cpp
#include "flags.h"
int reset_parcel() {
    return Usual;
}
int weigh_parcel(int urgent) {
    return urgent ? Urgent : Heavy;
}
"""


async def test_partial_mentions_of_the_members_are_shown_as_uses(tmp_path: Path):
    """A value combined of other members counts as itself only."""
    question = "What do I touch to add another parcel flag?"
    report = await answer_question(tmp_path, FLAGS + OTHERS, question, "edit")
    first, second, *_ = report.links
    assert (first.role, first.fact.split("`")[1]) == ("definition", "ParcelFlag")
    assert (second.role, second.fact.split("`")[1]) == ("user", "weigh_parcel")
    assert "2 of the 5 members" in second.fact
    assert not any("reset_parcel" in link.fact and "members" in link.fact for link in report.links)
    purposes = [each.purpose for each in report.read_targets]
    assert purposes[:2] == ["change here: `ParcelFlag`", "a use: `weigh_parcel`"]
    assert report.confidence != "high"


def tables(*, titled: int) -> str:
    """A form; the first ``titled`` of its fields have titles."""
    kinds = ("text", "stamp", "slider", "radio", "phone", "picker")
    icons = "".join(f"  {each}: drawn({at}),\n" for at, each in enumerate(kinds))
    titles = "".join(f"  {each}: said({at}),\n" for at, each in enumerate(kinds[:titled]))
    return f"""
//- form/icons.ts
export const fieldIcons = {{
{icons}}};
//- form/titles.ts
import {{ fieldIcons }} from "./icons";
export const titles = {{
{titles}}};
{OTHERS}"""


@pytest.mark.parametrize(("titled", "names"), [(6, ["fieldIcons", "titles"]), (2, [])])
async def test_code_naming_the_rows_of_a_table_is_shown_with_it(
    tmp_path: Path, titled: int, names: list[str]
):
    question = "What do I touch to add another kind to fieldIcons?"
    report = await answer_question(tmp_path, tables(titled=titled), question, "edit")
    counted = [link.fact for link in report.links if " names" in link.fact]
    assert [fact.split("`")[1] for fact in counted] == names


MAY = ("download", "upload", "remove", "listAll", "invite", "rename")
MAY_CREATE = "Add a default permission to create shelves"


def permissions(row: str, *, named: int, folder: str = "client") -> str:
    """Rows for an account's permissions, and a form that mentions the first ``named`` of them."""
    rows = "".join(f"    {row.format(each)}\n" for each in MAY)
    form_rows = "".join(f"  set.{each} = false;\n" for each in MAY[:named])
    return f"""
//- server/shelves.ts
export function createShelvesForEachAccount(account: Account) {{
  return account.shelves.map((each) => each.create());
}}
//- server/account.ts
export function defaultPermissions(b: Builder) {{
  return b.of({{
{rows}  }});
}}
//- {folder}/form.ts
export function clearForm(set: Record<string, boolean>) {{
{form_rows}}}
{OTHERS}"""


@pytest.mark.parametrize("row", ["{}: true,", "b.flag('{}', true);"])
@pytest.mark.parametrize(
    ("question", "named", "count"),
    [
        (MAY_CREATE, 5, 2),
        # Too few of the names, none of them, and another question.
        (MAY_CREATE, 2, 0),
        (MAY_CREATE, 0, 0),
        ("Add shelves that are created for each account", 5, 0),
    ],
)
async def test_well_ranked_table_is_shown_with_code_naming_its_rows(
    tmp_path: Path, row: str, question: str, named: int, count: int
):
    """Even if the question names neither of them and something else ranks best."""
    report = await answer_question(tmp_path, permissions(row, named=named), question, "edit")
    counted = [link.fact.split("`")[1] for link in report.links if " names" in link.fact]
    assert counted == ["defaultPermissions", "clearForm"][:count]
    changed = [e.purpose for e in report.read_targets if "`clearForm`" in e.purpose]
    assert changed == ["change here: `clearForm`"][:count]
    assert any("createShelvesForEachAccount" in link.fact for link in report.links)


@pytest.mark.parametrize(
    ("written", "quoted"),
    [("PRICE", "PRICE,"), ("PRICE,\n  COUNT", "PRICE,")],
    ids=["last member", "before a count of members"],
)
async def test_quote_shows_where_a_new_member_goes(tmp_path: Path, written: str, quoted: str):
    lines = ",\n  ".join(("SENDER", "WEIGHT", "STATE", written))
    fixture = model().replace(", ".join(NAMES), lines)
    enumeration, *_ = (await answer_question(tmp_path, fixture, NEW, "edit")).links
    assert enumeration.quote == quoted


TWINS = """
//- server/state.py
from enum import StrEnum

class ParcelState(StrEnum):
    WAS_SENT = "sent"
    WAS_LOST = "lost"
    WAS_KEPT = "kept"
    WAS_OPENED = "opened"
//- server/title.py
from server.state import ParcelState

def title(state):
    # What you touch to add another.
    return {
        ParcelState.WAS_SENT: 1, ParcelState.WAS_LOST: 2, ParcelState.WAS_KEPT: 3,
        ParcelState.WAS_OPENED: 4,
    }[state]
//- web/state.ts
export enum {name} {{
  Sent = "sent",
  Lost = "lost",
  Kept = "kept",
  Opened = "{last}",
}}
//- web/icons.ts
import {{ {name} }} from "./state";
export const icons = {{
  [{name}.Sent]: 1, [{name}.Lost]: 2, [{name}.Kept]: 3, [{name}.Opened]: 4,
}};
//- web/parcel.html
<b>{name}.Sent {name}.Lost {name}.Kept {name}.Opened</b>
"""


@pytest.mark.parametrize(
    ("name", "last", "paths"),
    [
        ("ParcelState", "opened", ["web/state.ts", "web/icons.ts"]),
        ("ShownParcelState", "opened", ["web/state.ts", "web/icons.ts"]),
        ("Light", "opened", []),
    ],
)
async def test_enumeration_with_the_same_members_is_shown_with_it(
    tmp_path: Path, name: str, last: str, paths: list[str]
):
    fixture = TWINS.replace("{name}", name).replace("{last}", last)
    fixture = fixture.replace("{{", "{").replace("}}", "}") + OTHERS
    links = (await answer_question(tmp_path, fixture, STATE, "edit")).links
    assert [each.path for each in links[:2]] == ["server/state.py", "server/title.py"]
    assert [each.path for each in links[2:4] if each.path.startswith("web")] == paths
    if paths:
        assert links[2].fact.endswith("It shares 4 members with `ParcelState`.")
        assert links[3].fact.endswith("Some also occur in `parcel.html`.")


NAMED = (
    "sender_name",
    "parcel_size",
    "sent_at",
    "paid_by",
    "way_to",
    "way_from",
    "due_at",
    "cost_of",
)


def camel(name: str) -> str:
    first, second = name.split("_")
    return first.capitalize() + second.capitalize()


@pytest.mark.parametrize("used", [True, False])
async def test_field_names_match_in_camel_case_and_snake_case(tmp_path: Path, *, used: bool):
    """But nothing is said if the names are not used."""
    go = "".join(f"\t{camel(each)} string\n" for each in NAMED)
    used_fields = ", ".join(f"of.{each}" for each in NAMED) if used else "of, of"
    rows = "".join(f"  {each}: string;\n" for each in NAMED)
    pages = "".join(f'<input name="{each}">\n' for each in NAMED)
    fixture = (
        f"//- parcel/state.go\npackage parcel\n\ntype ParcelState struct {{\n{go}}}\n"
        f"//- web/shown.ts\nexport interface Shown {{\n{rows}}}\nconst of: Shown = read();\n"
        f"//- web/show.ts\nexport function show(of) {{\n  return [{used_fields}];\n}}\n"
        f"//- web/state.html\n{pages}{OTHERS}"
    )
    question = "What do I touch to add another field to the parcel state?"
    links = (await answer_question(tmp_path, fixture, question, "edit")).links
    facts = [each.fact for each in links if " of the 8 members of `ParcelState`" in each.fact]
    assert [each.split("`")[1] for each in facts] == (["show", "Shown"] if used else []), links
    if used:
        assert facts[-1].endswith("Some also occur in `state.html`.")


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        (NEW, "PRICE"),
        ("What do I touch to add another column to the parcels, by weight?", "WEIGHT"),
    ],
)
async def test_member_named_by_the_question_is_quoted(tmp_path: Path, question: str, quoted: str):
    fixture = model().replace(", ".join(NAMES), ",\n  ".join(NAMES))
    enumeration, title, *_ = (await answer_question(tmp_path, fixture, question, "edit")).links
    assert enumeration.quote == f"{quoted},"
    assert title.quote == f"case ParcelColumn.{quoted}: return row;"


KINDS = "".join(
    f"//- kinds/{each}.ts\nexport enum {each}Type {{ {each}One, {each}Two, {each}Three }}\n"
    for each in ("Box", "Bag", "Crate")
)


@pytest.mark.parametrize(
    ("others", "question", "recognised"),
    [
        (KINDS, NEW, True),
        ("", NEW, False),
        # A member mentioned far from the enumeration's name is about something else.
        (KINDS, f"{NEW[:-1]} that shows each of them with what was paid as its price?", True),
    ],
)
async def test_question_need_not_name_the_suffix_of_the_type(
    tmp_path: Path, others: str, question: str, recognised: bool
):
    fixture = model().replace("ParcelColumn", "ParcelColumnType") + others
    question = question.replace("column to the list of parcels", "parcel column")
    links = (await answer_question(tmp_path, fixture, question, "edit")).links
    assert ("`ParcelColumnType` has 4 members" in links[0].fact) == recognised


SHAPES = ("square", "circle", "stripe", "ribbon", "zigzag", "spiral")


def shapes(*, drawn: int, written: str = '"{}"') -> str:
    """A union of string literals, and a switch over the first ``drawn`` of them."""
    cases = "".join(
        f"    case {written.format(each)}:\n      return drawn({at});\n"
        for at, each in enumerate(SHAPES[:drawn])
    )
    strings = "".join(f'  | "{each}"\n' for each in SHAPES)
    return f"""
//- pad/types.ts
export type PadShape =
{strings};
//- pad/draw.ts
import {{ PadShape }} from "./types";
const square = 1, circle = 2, stripe = 3, ribbon = 4;
export function draw(shape: PadShape) {{
  // What you touch to add another.
  switch (shape) {{
{cases}  }}
}}
{OTHERS}"""


@pytest.mark.parametrize(
    ("fixture", "named", "starts"),
    [
        (shapes(drawn=4), "PadShape, circle", ["`PadShape` contains", "`draw` contains"]),
        # Too few, or not strings; or the question has none of the strings as an example.
        (shapes(drawn=2), "PadShape, circle", []),
        (shapes(drawn=4, written="{}"), "PadShape, circle", []),
        (shapes(drawn=4), "PadShape", []),
    ],
)
async def test_string_union_members_are_found_as_string_literals(
    tmp_path: Path, fixture: str, named: str, starts: list[str]
):
    question = f"What do I touch to add another shape?\n\n{named}"
    links = (await answer_question(tmp_path, fixture, question, "edit")).links
    counted = [each for each in links if " names" in each.fact]
    assert [each.fact[: len(begin)] for each, begin in zip(counted, starts, strict=True)] == starts
    assert all('"circle"' in each.quote for each in counted)


@pytest.mark.parametrize(
    ("calls", "confidence"), [("orderOf(column)", "high"), ("paper(column)", "medium")]
)
async def test_confidence_is_not_high_without_relation_to_best_ranked(
    tmp_path: Path, calls: str, confidence: str
):
    printed = (
        '//- list/print.ts\nimport { orderOf } from "./order";\n'
        "export function printed(column) {\n"
        "  // What you touch to add another column to the list of parcels.\n"
        f"  return {calls};\n}}\n"
    )
    report = await answer_question(tmp_path, model() + printed, NEW, "edit")
    assert "`ParcelColumn` has 4 members." in report.links[0].fact
    assert report.confidence == confidence
