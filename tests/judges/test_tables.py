"""Where a new row goes: code that creates many of one type, or calls one function many times."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.contracts import Intent
from tests.judges.test_offline import answer_question

NEW = "What do I touch to add another command for a colon?"
WORDS = ("quit", "save", "load", "sort", "undo", "redo", "move", "copy", "mark", "fold", "wrap")


def commands(table: str, *, count: int = 6, extension: str = "py") -> str:
    """Functions, and a table with a row for each. ``table`` is ``head|row|tail``, with ``{}`` in
    the row for the function's word."""
    head, row, tail = table.split("|")
    words = WORDS[:count]
    bodies = "".join(f"def do_{word}(editor):\n    editor.{word}_all()\n\n\n" for word in words)
    rows = "".join(row.replace("{}", word) for word in words)
    others = "".join(f"//- text/part{at}.py\ndef part{at}(text): ...\n" for at in range(8))
    return f"""
//- editor/typed.{extension}
from editor.kinds import TypableCommand, register_command


{bodies}{head}{rows}{tail}
//- editor/kinds.py
class TypableCommand:
    def __init__(self, name, run):
        self.name = name


def register_command(name, run):
    KNOWN[name] = run
//- editor/lines.py
def draw(line):
    # What you touch to add another for a colon.
    line.touch()
{others}"""


LIST = "COMMANDS = [\n|    TypableCommand('{}', do_{}),\n|]\n"
LONG = "COMMANDS = [\n|    TypableCommand(\n        name='{}',\n        run=do_{},\n    ),\n|]\n"
CALLS = "def register_all():\n|    register_command('{}', do_{})\n|\n"
BARE = "def register_all():\n|    register_command('{}', None)\n|\n"
BUILT = "def build_all():\n    return [\n|        TypableCommand('{}', do_{}),\n|    ]\n"
AMID = (
    "def read(text):\n"
    "|    text.skip()\n    do_{}(text)\n    text.step()\n    TypableCommand('{}', None)\n"
    "|    return text\n"
)
NAMES = "COMMAND_FUNCTIONS = [\n|    do_{},\n|]\n"
OTHER_NAMES = NAMES.replace("COMMAND_FUNCTIONS", "KEYS_OF_EDITOR_COMMANDS")
COUNTED = "It does so in 6 places, each time with a function."
CREATED = f"`COMMANDS` creates `TypableCommand`. {COUNTED}"
CALLED = f"`register_all` calls `register_command`. {COUNTED}"


@pytest.mark.parametrize(
    ("table", "count", "question", "fact"),
    [
        (LIST, 6, NEW, CREATED),
        (LONG, 6, NEW, CREATED),
        (CALLS, 6, NEW, CALLED),
        (BUILT, 6, NEW, "`build_all` creates `TypableCommand`. It does so in 6 places"),
        (BARE, 11, NEW, "`register_all` calls `register_command`. It does so in 11 places."),
        (NAMES, 6, NEW, "It refers to a function on 6 of its lines."),
        # Names of other things, too few rows, rows in the middle of other code, rows without
        # arguments, and another question.
        (OTHER_NAMES, 6, NEW, ""),
        (LIST, 4, NEW, ""),
        (AMID, 6, NEW, ""),
        (BARE, 6, NEW, ""),
        (LIST, 6, "What do I touch so that the undo command takes a colon?", ""),
        (LIST, 6, "What do I touch to add another line for a colon?", ""),
    ],
)
async def test_table_that_needs_a_new_row_comes_first(
    tmp_path: Path, table: str, count: int, question: str, fact: str
):
    report = await answer_question(tmp_path, commands(table, count=count), question, "edit")
    first = report.links[0]
    assert (first.role == "registration") == bool(fact), report.links
    assert fact in first.fact
    if fact:
        assert report.read_targets[0].purpose.startswith("change here: ")
        assert report.read_targets[0].path == first.path == "editor/typed.py"


@pytest.mark.parametrize("intent", ["locate", "explain", "debug"])
async def test_table_is_a_registration_only_for_changes(tmp_path: Path, intent: Intent):
    report = await answer_question(tmp_path, commands(LIST), NEW, intent)
    assert "registration" not in [link.role for link in report.links]


@pytest.mark.parametrize("table", [LIST, LONG, CALLS, NAMES])
async def test_example_is_the_value_of_the_quoted_row(tmp_path: Path, table: str):
    """Then follows what the rows create or call, if they are more than names."""
    report = await answer_question(tmp_path, commands(table), NEW, "edit")
    roles = [link.role for link in report.links]
    assert roles[:2] == ["registration", "example"]
    assert roles[2:3] == ["definition"] or table is NAMES
    example = next(each for each in WORDS if f"`do_{each}`" in report.links[1].fact)
    assert example == WORDS[5]  # the last
    assert example in report.links[0].quote or table is LONG
    assert f"an example: `do_{example}`" in [each.purpose for each in report.read_targets]


RECORD = "".join(
    f'    TypableCommand {{\n        name: "{word}",\n        doc: "{word}s it",\n'
    f"        keys: &[],\n        hidden: false,\n        run: do_{word},\n    }},\n"
    for word in WORDS
)


@pytest.mark.parametrize(
    ("of_many", "first"),
    [
        (RECORD, "`COMMANDS` creates `TypableCommand`. It does so in 11 places"),
        (RECORD[: len(RECORD) // 4], "`TypableCommand` contains"),
    ],
)
@pytest.mark.parametrize(
    "question",
    ["Add another typable command", "Add a typable command that has a wide and a long gap"],
)
async def test_new_record_goes_into_the_table_not_the_type(
    tmp_path: Path, of_many: str, first: str, question: str
):
    """The title does not ask for a definition whose name's words are scattered in it."""
    bodies = "".join(f"fn do_{word}(cx: &mut Context) {{\n    cx.go();\n}}\n\n" for word in WORDS)
    run = "cx.say(command.name, command.doc, command.keys, command.hidden, command.run)"
    fixture = f"""
//- src/typed.rs
pub struct TypableCommand {{
    pub name: &'static str,
    pub doc: &'static str,
    pub keys: &'static [char],
    pub hidden: bool,
    pub run: fn(&mut Context),
}}

{bodies.replace("do_move", "wide_gap")}
pub const COMMANDS: &[TypableCommand] = &[
{of_many.replace("do_move", "wide_gap")}];

pub fn execute_typable_command(cx: &mut Context, command: &TypableCommand) {{
    {run};
}}
"""
    report = await answer_question(tmp_path, fixture, question, "edit")
    assert report.links[0].fact.startswith(first)


async def test_static_fields_of_a_type_form_a_table(tmp_path: Path):
    keys = "".join(
        f'    public static final ConfigKey {each.upper()} =\n        new ConfigKey("{each}");\n'
        for each in WORDS
    )
    fixture = (
        f"//- Keys.java\npublic class Keys {{\n{keys}}}\n"
        "//- ConfigKey.java\npublic class ConfigKey {\n"
        "    public ConfigKey(String name) { this.name = name; }\n}\n"
        "//- Other.java\npublic class Other {\n    // What you touch to add another.\n"
        "    void draw(Pen at) { at.add(); }\n}\n"
    )
    report = await answer_question(
        tmp_path, fixture, "What do I touch to add another config key?", "edit"
    )
    assert (report.links[0].role, report.links[0].path) == ("registration", "Keys.java")
    assert f"`Keys` makes `ConfigKey` in {len(WORDS)} places." in report.links[0].fact


@pytest.mark.parametrize("mentioned", [True, False])
async def test_types_of_an_ambient_declaration_file_are_no_family(
    tmp_path: Path, *, mentioned: bool
):
    """Nothing outside its one file mentions its names."""
    types = "".join(
        f"interface {each.capitalize()}Format extends CommonFormat {{ {each}: string; }}\n"
        for each in WORDS[:3]
    )
    joined = " | ".join(f"{each.capitalize()}Format" for each in WORDS[:3])
    use = "const format: SaveFormat = read();\n" if mentioned else "const format = read();\n"
    fixture = (
        "//- public/editor.d.ts\ninterface CommonFormat { name: string; }\n"
        f"{types}type AnyFormat = {joined};\n"
        f"//- app/page.ts\n{use}export function print(page: string) {{ return page; }}\n"
        "//- app/other.ts\n// What you touch to add another.\nexport function other() {}\n"
    )
    report = await answer_question(
        tmp_path, fixture, "What do I touch to add another format?", "edit"
    )
    links = [(link.role, link.path) for link in report.links]
    assert (("registration", "public/editor.d.ts") in links) == mentioned, links
