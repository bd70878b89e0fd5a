"""Answers about a change: its subject, the users of that, and where a new one is registered."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import Intent, Settings
from explorer_core.index.sync import SyncTask
from explorer_core.workspace import Workspace
from tests.fixture import ELSEWHERE, parse
from tests.judges.test_offline import answer_question
from tests.workers import index_of

USERS = "".join(f"def use_{at}(bell):\n    ring_the_bell(bell)\n\n" for at in range(7))
BELLS = f"""
//- bells/tower.py
def ring_the_bell(bell):
    pull(3)


def climb_the_tower_to_rename_what_breaks(tower):
    tower.climb()
//- bells/town.py
from bells.tower import ring_the_bell

{USERS}
//- bells/shapes.py
class Shape:
    def area(self): ...


class Round(Shape):
    def area(self):
        return 3


def use_a_shape(shape: Shape):
    return shape.area()
"""
HANDLERS = """
//- base.py
class AbstractParcelHandler:
    def write(self, parcel): ...
//- parcel.py
from base import AbstractParcelHandler

class ParcelHandler(AbstractParcelHandler):
    def write(self, parcel):
        write_the_method_of_the_handler(parcel)
"""
STORES = """
//- shop/Store.java
interface Store { void persistAll(); }
//- shop/Shop.java
class Shop { void close(Store store, Cache cache) { store.persistAll(); cache.persistAll(); } }
//- shop/Cache.java
class Cache { void persistAll() { System.out.println("cache"); } }
//- shop/DiskStore.java
class DiskStore implements Store { public void persistAll() { System.out.println("disk"); } }
//- shop/Shelf.java
class Shelf { int boards() { return 3; } }
//- shop/Till.java
class Till { int coins() { return 2; } }
"""
OPTIONS = """
//- shop/RequestOptions.scala
package shop
case class RequestOptions(followRedirects: Boolean, retries: Int)
//- shop/Builder.scala
package shop
trait Builder {
  def options: RequestOptions
  def followRedirects(fr: Boolean): RequestOptions = options.copy(followRedirects = fr)
}
"""


@pytest.mark.parametrize(
    ("fixture", "question", "intent", "first"),
    [
        (BELLS, "What breaks if I rename ring_the_bell?", "edit", "ring_the_bell"),
        (BELLS, "What breaks if I rename ring_the_bell?", "locate", "ring_the_bell"),
        (BELLS, "What breaks if I rename what Shape.area gives?", "edit", "Shape.area"),
        (STORES, "What breaks if I rename persistAll?", "edit", "Store.persistAll"),
        (STORES, "What breaks if I rename persistAll of the cache?", "edit", "Cache.persistAll"),
        (OPTIONS, "Remove followRedirects of the request options", "edit", "RequestOptions.follow"),
        (HANDLERS, "rename write of the parcel handler", "edit", "ParcelHandler"),
    ],
)
async def test_subject_of_the_change_comes_first(
    tmp_path: Path, fixture: str, question: str, intent: Intent, first: str
):
    """An explicit name, or all words of a name, beats more matches of the other words."""
    report = await answer_question(tmp_path, fixture, question, intent)
    assert report.links[0].role == "definition"
    assert report.links[0].fact.startswith(f"`{first}")
    required = [each.purpose for each in report.read_targets if each.required]
    assert [first in each for each in required] == [True], required


@pytest.mark.parametrize(
    ("question", "total"),
    [
        (
            "What breaks if I rename ring_the_bell?",
            "`ring_the_bell` is used in 7 places in one file, and by tests in 4 places in one"
            " file.",
        ),
        ("Who uses `toll` besides its tests?", "Tests use `toll` in 4 places in one file."),
        ("What breaks if I rename what Shape.area gives?", ""),
    ],
)
async def test_fact_counts_uses_if_not_all_are_shown(tmp_path: Path, question: str, total: str):
    """An import does not count as a use. If all users are shown, no number is given."""
    each = "def test_{at}():\n    ring_the_bell({at})\n    toll({at})\n\n"
    tests = "".join(each.format(at=at) for at in range(4))
    imported = "from bells.knell import toll\nfrom bells.tower import ring_the_bell\n\n"
    fixture = f"{BELLS}//- bells/knell.py\ndef toll(bell): ...\n\ndef knell():\n    toll(1)\n"
    fixture += f"//- tests/test_town.py\n{imported}{tests}"
    report = await answer_question(tmp_path, fixture, question, "edit")
    assert report.links[0].fact.partition(". ")[2] == total


VALIDATOR = """
//- town/Cart.java
record Cart(Long toll, Long weight) {{}}
//- town/TollCheck.java
class TollCheck implements ConstraintValidator<Tolled, Cart> {{
    public boolean isValid(Cart cart, Context context) {{ return cart.toll() < cart.weight(); }}
}}
//- town/Scale.java
class Scale {{
    static Long weigh(int sacks) {{ return sacks * 60L; }}
}}
//- tests/CartTest.java
class CartTest {{
{tests}}}
"""


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("TollCheck.isValid", ""),
        ("Scale.weigh", "Tests use `Scale.weigh` in 5 places in one file."),
    ],
)
async def test_handing_over_does_not_count_as_a_use(tmp_path: Path, name: str, total: str):
    """Whoever hands a cart to the library may have it call `isValid`, but names only the cart."""
    each = "    @Test void t{at}() {{ check(new Cart({at}L, Scale.weigh(2))); }}\n"
    fixture = VALIDATOR.format(tests="".join(each.format(at=at) for at in range(5)))
    question = f"What breaks if I rename {name}?"
    report = await answer_question(tmp_path, fixture, question, "edit")
    assert report.links[0].fact.partition(". ")[2] == total


async def test_user_with_a_repeated_line_comes_after_others(tmp_path: Path):
    repeated = "".join(f'def a{at}(bell):\n    ring_the_bell("{at}")\n\n' for at in range(7))
    fixture = BELLS.replace(
        USERS, f"{repeated}def z(tower):\n    return ring_the_bell(tower.clapper)\n"
    )
    report = await answer_question(tmp_path, fixture, "Where is ring_the_bell?", "locate")
    users = [link.fact.split("`")[1] for link in report.links if link.role == "user"]
    assert users[:2] == ["a0", "z"]
    assert len(users) == 4


@pytest.mark.parametrize(
    ("path", "user"),
    [("config.py", "`config.py` refers to `OddShape`."), ("tests/test_shapes.py", None)],
)
async def test_code_outside_definitions_is_a_user(tmp_path: Path, path: str, user: str | None):
    lines = "\n".join(f"# {at}" for at in range(200))
    fixture = f"""
//- shapes.py
class OddShape:
    def area(self): ...
//- registry.py
def enable(shape): ...
//- {path}
from shapes import OddShape
from registry import enable
{lines}
enable(OddShape)
"""
    report = await answer_question(tmp_path, fixture, "What breaks if I rename OddShape?", "edit")
    users = [link for link in report.links if link.role == "user"]
    assert [link.fact for link in users] == ([user] if user else [])
    assert [link.quote for link in users] == (["enable(OddShape)"] if user else [])
    assert all(len(link.range) <= 60 for link in users)
    assert "is used" not in report.links[0].fact


@pytest.mark.parametrize(
    ("elsewhere", "users"),
    [
        ('const { sweepOut } = require("./sweep");\nfunction atNight() { sweepOut(); }', "atNight"),
        ('const sweep = require("./sweep");', "sweep.js"),
    ],
)
async def test_export_from_own_file_counts_as_use_only_without_others(
    tmp_path: Path, elsewhere: str, users: str
):
    fixture = f"""
//- sweep.js
function sweepOut() {{
  broom.move();
}}
module.exports = {{ sweepOut }};
//- night.js
{elsewhere}
//- day.js
function sleep(bed) {{
  bed.open();
}}
//- noon.js
function eat(dish) {{
  dish.taste();
}}
"""
    report = await answer_question(tmp_path, fixture, "What breaks if I rename sweepOut?", "edit")
    shown_users = [link.fact.split("`")[1] for link in report.links if link.role == "user"]
    assert shown_users == [users]


async def test_separate_declaration_is_a_place_to_change(tmp_path: Path):
    fixture = """
//- index.js
class Bell {
  ringTheBell(times) {
    return times.map((time) => time.ring);
  }
}
module.exports = { Bell };
//- index.d.ts
export class Bell {
  ringTheBell(times: number): number;
}
"""
    report = await answer_question(
        tmp_path, fixture, "What breaks if I rename ringTheBell?", "edit"
    )
    assert report.links[0].path == "index.js"
    declared = [each.purpose for each in report.read_targets if each.path == "index.d.ts"]
    assert declared == ["change here: `Bell.ringTheBell`"]


async def test_data_declared_in_a_header_is_changed_at_its_definition(tmp_path: Path):
    fixture = """
//- src/bells.h
struct bell { const char *name; int weight; };
extern const struct bell all_bells[];
//- src/bells.c
#include "bells.h"
const struct bell all_bells[] = { { "great", 9 }, { "small", 1 } };
//- src/tower.c
#include "bells.h"
int lift_the_first(void) { return all_bells[0].weight; }
"""
    report = await answer_question(tmp_path, fixture, "What breaks if I rename all_bells?", "edit")
    assert report.links[0].path == "src/bells.c"
    purposes = [(each.path, each.purpose) for each in report.read_targets]
    assert ("src/bells.h", "declared here: `all_bells`") in purposes


async def test_subtypes_of_a_named_type_precede_other_users(tmp_path: Path):
    fixture = BELLS.replace("Shape", "OddShape")
    report = await answer_question(tmp_path, fixture, "What breaks if I rename OddShape?", "edit")
    users = [link.fact for link in report.links if link.role == "user"]
    assert users == ["`Round` extends `OddShape`.", "`use_a_shape` refers to `OddShape`."]


async def test_relevant_members_of_a_named_type_are_shown(tmp_path: Path):
    """The function related to the rest of the question is chosen, not an unrelated one."""
    others = "".join(f"//- other_{at}.py\ndef other_{at}(): ...\n" for at in range(8))
    fixture = f"""
//- unknown_env.py
class UnknownEnv:
    def alone(self, statement):
        # support
        return statement

    def environments(self):
        # all supported statements of the environment
        return ["production"]

    def on_send(self, node):
        # support statements
        return self.collect(node)

    def collect(self, node):
        # case
        return [self.environments(), node]
{others}
"""
    question = "Support case statements in the UnknownEnv cop"
    report = await answer_question(tmp_path, fixture, question, "edit")
    assert [link.fact for link in report.links if link.role == "also"] == [
        "`UnknownEnv.environments` is called by `UnknownEnv.collect`.",
        "`UnknownEnv.collect` calls `UnknownEnv.environments`.",
        "`UnknownEnv.on_send` calls `UnknownEnv.collect`.",
    ]


def rules(*names: str, table: str = "") -> str:
    """Rules in one file each, and a table of the first three."""
    files = "".join(
        f"//- rules/{name.lower()}.py\nfrom rules.base import LintRule\n\n\n"
        f"class {name}(LintRule):\n    def check(self): ...\n"
        for name in names
    )
    imports = "".join(f"from rules.{name.lower()} import {name}\n" for name in names[:3])
    rows = "".join(f"        {name}(),\n" for name in names[:3])
    return (
        f"//- rules/base.py\nclass LintRule:\n    def check(self): ...\n{files}"
        f"//- run/running.py\n{imports}\n\ndef everything():\n    return [\n{rows}    ]\n"
        "//- run/other.py\ndef touch_a_new_lint(path):\n    path.touch()\n" + table
    )


FIVE = ("Tabs", "Quotes", "Names", "Braces", "Spaces")
NEW = "What do I touch to add a new lint rule?"
TOTAL = "It refers to 3 of the 5 types derived from `LintRule`."


@pytest.mark.parametrize(
    ("names", "question", "intent", "registered"),
    [
        (FIVE, NEW, "edit", True),
        (FIVE, NEW, "locate", False),
        (FIVE[:2], NEW, "edit", False),
        (FIVE, "Let the lint rule for tabs allow a new one", "edit", False),
        # The example in a clause of its own is not a member of the family.
        (FIVE, "What do I touch to add a new lint rule, such as one for names?", "edit", True),
        (FIVE, "Touch a new path", "edit", False),
    ],
)
async def test_registration_of_a_new_family_member_comes_first(
    tmp_path: Path, names: tuple[str, ...], question: str, intent: Intent, *, registered: bool
):
    """Only for the intent `edit`, and only if the question does not name a member of the family."""
    report = await answer_question(tmp_path, rules(*names), question, intent)
    first_links = [(link.role, link.path) for link in report.links[:2]]
    assert (first_links[0] == ("registration", "run/running.py")) == registered, report.links
    assert ([role for role, _ in first_links[1:]] == ["example"]) == registered
    assert any(TOTAL in link.fact for link in report.links) == registered
    purposes = [each.purpose for each in report.read_targets]
    assert ("change here: `everything`" in purposes) == registered
    assert ("what it derives from: `LintRule`" in purposes) == registered


def sinks(head: str, base: str, *names: str, folder: str = "sinks") -> str:
    """Sinks that derive from ``head``, a subtype of ``base``, and the code that makes them."""
    files = "".join(
        f"//- {folder}/{name}.java\nclass {name} extends {head} {{\n"
        f"    public void pour(Water water) {{ water.run(); }}\n}}\n"
        for name in names
    )
    rows = "".join(f'            case "{name}": return new {name}();\n' for name in names)
    return (
        f"//- {folder}/{head}.java\nabstract class {head} implements {base} {{\n"
        f"    public abstract void pour(Water water);\n}}\n"
        f"//- {folder}/{base}.java\ninterface {base} {{ void pour(Water water); }}\n{files}"
        f"//- kitchen/House.java\nclass House {{\n    {base} make(String of) {{\n"
        f"        switch (of) {{\n{rows}        }}\n    }}\n}}\n"
    )


@pytest.mark.parametrize(
    ("head", "base", "folder", "question", "registered"),
    [
        # The family is named after the head, the head's supertype, or the common folder.
        ("Sink", "Basin", "wet", "Add another sink to pour water", True),
        ("SinkBase", "ISink", "wet", "Add another sink to pour water", True),
        ("PourBase", "Basin", "sinks", "Add another sink to pour water", True),
        ("PourBase", "Basin", "wet", "Add another sink to pour water", False),
        ("SinkBase", "ISink", "wet", "Let the sink of stone pour water", False),
    ],
)
async def test_family_is_recognised_by_head_supertype_or_folder_name(
    tmp_path: Path, head: str, base: str, folder: str, question: str, *, registered: bool
):
    """Even if the best ranked definition is a method of a member."""
    fixture = sinks(head, base, "Stone", "Steel", "Copper", folder=folder)
    report = await answer_question(tmp_path, fixture, question, "edit")
    first_roles = [link.role for link in report.links[:1]]
    assert (first_roles == ["registration"]) == registered, report.links
    assert any("3 of the 3" in link.fact for link in report.links) == registered


SHELL = ("Add", "Remove", "Listing", "Open")


@pytest.mark.parametrize(
    ("question", "registered"),
    [
        # Verbs for the request, or for what the new one does, do not name a member; a word right
        # before the kind, or soon after it, does.
        ("What do I touch to add a new command to the shell?", True),
        ("What do I touch for a further command of the shell that can open a file?", True),
        ("What do I touch to let the add command tell more?", False),
        ("What do I touch to let the command for open tell more?", False),
    ],
)
async def test_verbs_of_the_request_do_not_name_a_member(
    tmp_path: Path, question: str, *, registered: bool
):
    files = "".join(
        f"//- shell/{each.lower()}.py\nfrom shell.base import Command\n\n\n"
        f"class {each}(Command):\n    def run(self): ...\n"
        for each in SHELL
    )
    imports = "".join(f"from shell.{each.lower()} import {each}\n" for each in SHELL)
    rows = "".join(f"        {each}(),\n" for each in SHELL)
    words = "".join(f"def {each.lower()}_{at}(): ...\n" for at in range(9) for each in SHELL)
    fixture = (
        f"//- shell/base.py\nclass Command:\n    def run(self): ...\n{files}"
        f"//- main.py\n{imports}\n\ndef everything():\n    return [\n{rows}    ]\n"
        f"//- words.py\n{words}"
    )
    report = await answer_question(tmp_path, fixture, question, "edit")
    paths = [link.path for link in report.links if "4 of the 4 types" in link.fact]
    assert paths == ["main.py"] * registered, report.links


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("Add another sink to pour water from a jar", "Sink"),
        ("Add another jar to pour water into a sink", "Jar"),
    ],
)
async def test_of_two_families_the_first_named_gets_the_new_member(
    tmp_path: Path, question: str, head: str
):
    jars = sinks("Jar", "Vessel", "Glass", "Clay", "Wood", folder="jars")
    jars = jars.replace("kitchen/House", "cellar/Shelf").replace("House", "Shelf")
    fixture = sinks("Sink", "Basin", "Stone", "Steel", "Copper") + jars + ELSEWHERE
    report = await answer_question(tmp_path, fixture, question, "edit")
    assert f"types derived from `{head}`" in report.links[0].fact


def sinks_in_parts(*names: str) -> str:
    """Sinks in C#, each declared in two parts."""
    parts = "".join(
        f"//- sinks/{name}{part}.cs\npublic partial class {name} : Sink {{\n"
        f"    public void Pour{part}(Water water) {{ water.Run(); }}\n}}\n"
        for name in names
        for part in ("Fast", "Slow")
    )
    rows = "".join(f'            case "{name}": return new {name}();\n' for name in names)
    return (
        f"//- sinks/Sink.cs\npublic abstract class Sink {{ }}\n{parts}"
        "//- kitchen/House.cs\npublic class House {\n    public Sink Make(string of) {\n"
        f"        switch (of) {{\n{rows}        }}\n    }}\n}}\n"
    )


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("Stone", "Steel", "Copper"), "refers to 3 of the 3 types derived from `Sink`."),
        (("Stone", "Steel"), ""),
    ],
)
async def test_parts_of_a_type_count_as_one_member(
    tmp_path: Path, names: tuple[str, ...], sentence: str
) -> None:
    """Four parts of two types are no family of four."""
    question = "Add another sink to pour water"
    report = await answer_question(tmp_path, sinks_in_parts(*names), question, "edit")
    counted = [link.fact for link in report.links if "types derived" in link.fact]
    assert [sentence in each for each in counted] == [True] * bool(sentence), report.links


@pytest.mark.parametrize(
    ("row", "count"),
    [("return new Copper();", "4 of the 4"), ("return of(3);", "3 of the 4")],
)
async def test_member_with_subtypes_is_counted(tmp_path: Path, row: str, count: str):
    fixture = sinks("Sink", "Basin", "Stone", "Steel", "Copper", "Brass")
    fixture = fixture.replace("class Brass extends Sink", "class Brass extends Copper")
    fixture = fixture.replace("return new Copper();", row)
    report = await answer_question(tmp_path, fixture, "Add another sink to pour water", "edit")
    counted = [link.fact for link in report.links if "types derived" in link.fact]
    assert [f"refers to {count} types derived from `Sink`." in each for each in counted] == [True]


def gates(*names: str) -> str:
    """Gates that each open in their own way, and the code that opens one."""
    files = "".join(
        f"//- town/{each}.py\nfrom town.base import Passage\n\n\nclass {each.title()}(Passage):\n"
        f"    def let_in(self, cart):\n        # Weigh the cart on its way in.\n"
        f"        return cart.weight > self.{each}_limit\n"
        for each in names
    )
    others = "".join(f"//- other/{at}.py\ndef other_{at}(): ...\n" for at in range(20))
    return (
        f"//- town/base.py\nclass Passage:\n    def let_in(self, cart): ...\n{files}{others}"
        "//- town/guard.py\nfrom town.base import Passage\n\n\n"
        "def watch(passage: Passage, cart):\n    passage.let_in(cart)\n"
    )


@pytest.mark.parametrize(
    ("question", "purposes"),
    [
        (
            "I want one more way to weigh a cart that is let in",
            ["base of a new one: `Passage`", "an example: `"],
        ),
        ("I want to weigh a cart that is let in by the north", ["`North.let_in`"]),
    ],
)
async def test_one_of_many_similar_members_is_an_example(
    tmp_path: Path, question: str, purposes: list[str]
):
    """Unless the question names it."""
    report = await answer_question(
        tmp_path, gates("north", "south", "west", "sea"), question, "edit"
    )
    shown = [each.purpose for each in report.read_targets]
    assert all(part in purpose for part, purpose in zip(purposes, shown, strict=False)), shown


METALS = ("copper", "iron", "zinc", "lead", "nickel")


@pytest.mark.parametrize(
    ("question", "listed", "row", "enumerated"),
    [
        ("What do I touch to add a new type of report?", METALS, "'{}',", True),
        # Not if few of them are listed, one is asked for, the question names another kind, or the
        # list is a comment.
        ("What do I touch to add a new type of report?", METALS[:2], "'{}',", False),
        ("What do I touch to add zinc to a report?", METALS, "'{}',", False),
        ("What do I touch to add a new type of paper?", METALS, "'{}',", False),
        ("What do I touch to add a new type of report?", METALS, "// {}", False),
    ],
)
async def test_enumeration_of_the_files_of_a_folder_comes_first(
    tmp_path: Path, question: str, listed: tuple[str, ...], row: str, *, enumerated: bool
):
    files = "".join(
        f"//- api/reports/{each}/route.ts\nexport function weigh(ore) {{ return ore.{each}; }}\n"
        for each in METALS
    )
    rows = "".join(f"  {row.format(each)}\n" for each in listed)
    others = "".join(f"//- lib/{at}.ts\nexport function other{at}() {{}}\n" for at in range(8))
    fixture = (
        f"{files}{others}//- lib/schema.ts\nexport const kinds = z.enum([\n{rows}]);\n"
        "//- lib/dates.ts\nexport function later(day) { return new Type(touch(day)); }\n"
    )
    report = await answer_question(tmp_path, fixture, question, "edit")
    first = report.links[0]
    assert ((first.role, first.path) == ("registration", "lib/schema.ts")) == enumerated
    assert ("the names of 5 of the 5 in `api/reports`" in first.fact) == enumerated
    assert ("example" in [link.role for link in report.links]) == enumerated
    purposes = [each.purpose for each in report.read_targets]
    assert ("change here: `kinds`" in purposes) == enumerated


async def test_choice_between_two_folders_does_not_depend_on_indexing_order(
    tmp_path: Path,
):
    files = {
        folder: [f"{folder}/reports/{each}.ts" for each in METALS] for folder in ("api", "pages")
    }
    rows = "".join(f"  '{each}',\n" for each in METALS)
    fixture = f"//- lib/schema.ts\nexport const kinds = z.enum([\n{rows}]);\n" + "".join(
        f"//- {path}\nexport function weigh(ore) {{ return ore; }}\n"
        for path in (*files["api"], *files["pages"])
    )
    fixture += "".join(f"//- lib/{at}.ts\nexport function other{at}() {{}}\n" for at in range(8))
    fixture += "//- lib/dates.ts\nexport function later(day) { return new Type(touch(day)); }\n"
    answers: list[list[tuple[str, str]]] = []
    for first in files:
        settings = Settings(cache_dir=str(tmp_path / first / "cache"))
        folder = parse(fixture).write(tmp_path / first / "files")
        with index_of(Workspace.open(folder, settings=settings)) as index:
            index.sync_now(SyncTask(files[first]))
        question = "What do I touch to add a new type of report?"
        report = await answer_question(tmp_path / first, fixture, question, "edit")
        answers.append([(link.path, link.fact) for link in report.links])
    assert answers[0] == answers[1] != []


@pytest.mark.parametrize("signature", ["default: {0}", "a: Tabs, b: Quotes, c: Names"])
@pytest.mark.parametrize("name", FIVE[:3])
async def test_registration_quotes_a_row_and_not_another_mention(
    tmp_path: Path, name: str, signature: str
):
    head = f"def everything({signature.format(name)}):"
    fixture = rules(*FIVE).replace("def everything():", head)
    report = await answer_question(tmp_path, fixture, NEW, "edit")
    assert report.links[0].role == "registration"
    assert report.links[0].quote in [f"{each}()," for each in FIVE]


async def test_registration_in_a_file_quotes_a_row_and_no_import(tmp_path: Path):
    fixture = rules(*FIVE).replace("def everything():\n    return [", "enter(everything=[")
    fixture = fixture.replace("    ]\n", "])\n").replace("(),\n", ",\n")
    report = await answer_question(tmp_path, fixture, NEW, "edit")
    assert report.links[0].role == "registration"
    assert report.links[0].quote in [f"{each}," for each in FIVE]


async def test_registration_is_not_repeated_as_definition(tmp_path: Path):
    commented_head = "def everything():\n    # What you touch to add a new lint rule."
    fixture = rules(*FIVE).replace("def everything():", commented_head)
    report = await answer_question(tmp_path, fixture, NEW, "edit")
    places = [(link.path, link.range.start) for link in report.links]
    assert report.links[0].role == "registration"
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(("name", "is_family"), [("touch_a_new_lint_rule", False), ("walk", True)])
async def test_example_is_shown_without_a_known_registration(
    tmp_path: Path, name: str, *, is_family: bool
):
    """It is shown, after its supertype, if the question says as much about the family as about the
    best ranked definition."""
    family, _, _ = rules(*FIVE).partition("//- run/running.py")
    body = "\n    # What you touch to add a new lint rule.\n    path.touch()\n"
    others = "".join(f"//- run/other_{at}.py\ndef add_other_{at}(): ...\n" for at in range(6))
    fixture = f"{family}{others}//- run/other.py\ndef {name}(path):{body}"
    report = await answer_question(tmp_path, fixture, NEW, "edit")
    roles = [link.role for link in report.links]
    assert roles[0] == "definition"
    assert (roles[1:2] == ["example"]) == is_family
    assert report.links[0].fact.endswith("5 types derive from `LintRule`.") == is_family
    purposes = [each.purpose.partition(":")[0] for each in report.read_targets]
    expected = ["base of a new one", "an example"] if is_family else ["change here"]
    assert purposes[: len(expected)] == expected


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Add a lint rule that looks at each line for how wide it is", "LintRule"),
        ("Let the wide lint rule look at each line", "WideRule.look"),
        ("Add a rule that looks at each line for how wide it is", "WideRule.look"),
    ],
)
async def test_new_member_resembling_another_does_not_change_that_one(
    tmp_path: Path, question: str, first: str
):
    """If the title contains the family's whole name and, elsewhere, words of that member."""
    rules = "".join(
        f"//- rules/{name}.py\nfrom rules.base import LintRule\n\n"
        f"class {name.title()}Rule(LintRule):\n    def look(self, line):\n"
        f"        return self.{name}_of_each_line(line)\n\n"
        for name in ("wide", "bare", "deep", "tall", "flat", "thin")
    )
    fixture = f"""
//- rules/base.py
class LintRule:
    def look(self, line): ...
{rules}//- run.py
from rules.base import LintRule

def run(line):
    for rule in LintRule.__subclasses__():
        rule().look(line)
"""
    report = await answer_question(tmp_path, fixture, question, "edit")
    assert report.links[0].fact.startswith(f"`{first}`")


@pytest.mark.parametrize(
    ("body", "read"),
    [("kettle.boil()", False), ("boil_the_water(kettle)", True)],
)
async def test_place_unrelated_to_the_change_is_no_read_target(
    tmp_path: Path, body: str, *, read: bool
):
    others = "".join(f"def other_{at}(): ...\n" for at in range(40))
    fixture = f"""
//- kitchen/kettle.py
def boil_the_water(kettle):
    kettle.heat()
//- kitchen/attic.py
from kitchen.kettle import boil_the_water

def tidy(kettle):
    # The water.
    {body}
//- others.py
{others}
"""
    report = await answer_question(tmp_path, fixture, "boil_the_water: boil the water", "edit")
    paths = {each.path for each in report.read_targets}
    assert ("kitchen/attic.py" in paths) == read


@pytest.mark.parametrize(("name", "confidence"), [("copper_bell", "high"), ("swing", "medium")])
async def test_best_ranked_place_without_named_subject_has_medium_confidence(
    tmp_path: Path, name: str, confidence: str
):
    """Unless the question spells out its name in words."""
    others = "".join(f"//- town/house_{at}.py\ndef live_{at}(): ...\n" for at in range(20))
    fixture = f"""
//- tower.py
def {name}(rope):
    # Let the copper bell ring twice at noon.
    ring(rope, twice=rope.is_noon())


def ring(rope, twice): ...
//- town.py
from tower import {name}

def wake(rope):
    {name}(rope)
{others}"""
    question = "Let the copper bell ring twice at noon"
    report = await answer_question(tmp_path, fixture, question, "edit")
    assert report.links[0].fact.startswith(f"`{name}`")
    assert report.confidence == confidence
