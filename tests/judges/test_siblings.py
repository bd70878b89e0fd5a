"""Places that mention the files of a folder inside other names, or by keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judges.test_offline import answer_question

METALS = ("gold", "iron", "lead", "zinc", "nickel", "cobalt", "bronze", "silver", "copper")
FOLDER = "".join(
    f"//- foundry/alloys/{each}.py\ndef melt_{each}(alloy):\n    return alloy.heat\n"
    for each in METALS
)
OWN = "//- foundry/alloys/alloys.py\ndef pour(mould):\n    return mould\n"
OTHERS = "".join(f"//- text/part{at}.py\ndef part{at}():\n    pass\n" for at in range(8))
OTHERS += "//- text/other.py\n# What you touch to add another.\ndef other():\n    pass\n"
NEW = "What do I touch to add another alloy?"


def fields(names: tuple[str, ...]) -> str:
    return "".join(f"    {each}_melts: bool\n" for each in names)


def inputs(names: tuple[str, ...]) -> str:
    return "".join(f'<input name="{each}_melts">\n' for each in names)


def foundry(named: tuple[str, ...], also: str = "") -> str:
    return (
        f"{FOLDER}{also}//- foundry/model.py\nclass Oven:\n    hot: bool\n{fields(named)}"
        f"//- pages/oven.html\n{inputs(METALS)}{OTHERS}"
    )


@pytest.mark.parametrize(
    ("fixture", "question", "facts"),
    [
        # A file named like the folder does not count as one of its members.
        (foundry(METALS), NEW, ["9 of the 9", "9 of the 9"]),
        (foundry(METALS, OWN), NEW, ["9 of the 9", "9 of the 9"]),
        (foundry(METALS[:8]), NEW, ["8 of the 9", "9 of the 9"]),
        # Too few members, or names that occur in many files, are not mentioned.
        (foundry(METALS[:5]), NEW, ["9 of the 9"]),
        (
            foundry(METALS)
            + "".join(
                f"//- many/file{at}.py\nclass Use{at}:\n{fields(METALS)}" for at in range(14)
            ),
            NEW,
            [],
        ),
        # The question asks for one of them.
        (foundry(METALS), "What do I touch to add heat to the zinc alloy?", []),
    ],
)
async def test_file_names_count_as_parts_of_longer_names(
    tmp_path: Path, fixture: str, question: str, facts: list[str]
):
    report = await answer_question(tmp_path, fixture, question, "edit")
    shown_facts = [each.fact for each in report.links if "in `foundry/alloys`" in each.fact]
    assert len(shown_facts) == len(facts), shown_facts
    assert all(f"names of {fact}" in each for fact, each in zip(facts, shown_facts, strict=True)), (
        shown_facts
    )


FAR = "".join(
    f"//- far/other{at}.py\n# What you touch to add another.\ndef join{at}(alloy):\n"
    f"    # Add another alloy, touch no alloy.\n    alloy.touch(another=alloy.add())\n"
    for at in range(12)
)
"""Functions that rank before all files of the folder."""
ALLOYS = "".join(f"//- stock/lots/alloys/{each}.txt\n{each}\n" for each in METALS)


@pytest.mark.parametrize(("far", "paths"), [("", ["stock/model.py"]), (FAR, [])])
async def test_folder_without_well_ranked_files_is_not_enumerated(
    tmp_path: Path, far: str, paths: list[str]
):
    fixture = f"{ALLOYS}//- stock/model.py\nclass Stock:\n{fields(METALS)}{far}{OTHERS}"
    report = await answer_question(tmp_path, fixture, NEW, "edit")
    assert [each.path for each in report.links if "in `stock/lots" in each.fact] == paths


@pytest.mark.parametrize(("used", "expected"), [(5, []), (0, ["src/oven.ts"])])
async def test_imports_used_by_their_file_are_no_enumeration(
    tmp_path: Path, used: int, expected: list[str]
):
    """A file that does not use its imports only re-exports them."""
    five = METALS[:5]
    taken = "".join(f"import {{ {each} }} from './alloys/{each}';\n" for each in five)
    files = "".join(f"//- src/alloys/{each}.ts\nexport const {each} = 'alloy';\n" for each in five)
    uses = "".join(f"export function melt{at}() {{ {five[at]}(); }}\n" for at in range(used))
    uses += "export function stir() { heat(); }\nfunction heat() {}\n"
    fixture = f"{files}//- src/oven.ts\n{taken}{uses}{OTHERS}"
    report = await answer_question(tmp_path, fixture, NEW, "edit")
    found = [each.path for each in report.links if "names of 5 of the 5" in each.fact]
    assert found == expected, report.links


@pytest.mark.parametrize(("mark", "expected"), [('"""', []), ("", ["foundry/guide.py"])])
async def test_documentation_is_no_enumeration(tmp_path: Path, mark: str, expected: list[str]):
    names = "\n    ".join(f"{each} = melted(alloy)" for each in METALS)
    guide = f"//- foundry/guide.py\nclass Guide:\n    {mark}\n    {names}\n    {mark}\n"
    report = await answer_question(tmp_path, f"{FOLDER}{guide}{OTHERS}", NEW, "edit")
    found = [each.path for each in report.links if "names of 9 of the 9" in each.fact]
    assert found == expected, report.links


LETTERS = ("welcome", "farewell", "reminder", "invoice", "receipt", "greeting", "refusal", "offer")
PAPERS = "".join(f"//- papers/letters/{each}.tpl\nDear reader\n" for each in LETTERS)


def post_office(*, keyed: int) -> str:
    """Code that sends letters by their keys, and the registration of the keys."""
    sends = "".join(
        f'def give_{each}(to):\n    return drawn("letters/{each}", to)\n\n\n'
        for each in LETTERS[:keyed]
    )
    registered = "".join(f'    register("letters/{each}")\n' for each in LETTERS)
    return (
        f"{PAPERS}//- shop/post.py\n{sends}def stamped(parcel):\n"
        "    return parcel.weight * parcel.distance\n\n\ndef drawn(key, to):\n    return key\n"
        f"//- shop/start.py\ndef start(register):\n{registered}"
        "//- shop/readers.py\ndef leave(reader, shop):\n    shop.readers.remove(reader)\n"
        f"{OTHERS}"
    )


NEW_POST = "Add a new post to all readers when a reader leaves the shop. What do I touch?"


@pytest.mark.parametrize(
    ("fixture", "question", "paths"),
    [
        (post_office(keyed=8), NEW_POST, ["start", "post"]),
        (post_office(keyed=2), NEW_POST, []),
        # The best ranked function is next to the keys but has none: it is itself the subject.
        (
            post_office(keyed=8),
            "Change how post is stamped by weight and distance. What do I touch?",
            [],
        ),
    ],
)
async def test_path_keys_in_strings_mention_the_files_of_a_folder(
    tmp_path: Path, fixture: str, question: str, paths: list[str]
):
    report = await answer_question(tmp_path, fixture, question, "edit")
    shown_paths = [each.path for each in report.links if "in `papers/letters`" in each.fact]
    assert sorted(shown_paths) == sorted(f"shop/{each}.py" for each in paths), report.links
