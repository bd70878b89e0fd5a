"""What is recognised in a question's text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.channels.question.query import Query, understand


def identifiers(query: Query) -> list[str]:
    return [name.text for name in query.identifiers]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How does get_user call HttpServer and getUser?", ["get_user", "HttpServer", "getUser"]),
        ("Where do HTTPServer and utf8 go?", ["HTTPServer", "utf8"]),
        (
            "Does run() use a.b.c or std::move or $this->cart?",
            ["run", "a.b.c", "std::move", "this->cart"],
        ),
        ("What reads `name`, --dry-run and __init__?", ["name", "--dry-run", "__init__"]),
        ("What is größeÄndern?", ["größeÄndern"]),
        ("How are URL patterns resolved to a view?", []),
        ("Well-known words. And more", []),
    ],
)
def test_identifiers_are_recognised(text: str, expected: list[str]) -> None:
    assert sorted(identifiers(understand(text))) == sorted(expected)


def test_identifiers_in_code_blocks_are_marked() -> None:
    query = understand("Why does load() fail?\n```py\nload(session)\n```\n")
    found = {name.text: name for name in query.identifiers}
    assert (found["load"].in_code, found["session"].in_code) == (False, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see src/app.py:12 please", [("src/app.py", 12)]),
        (f"see src/app.py:{'1' * 5000} please", [("src/app.py", None)]),
        ("see src/app.py:12-20.", [("src/app.py", 12)]),
        ("see src/app.py:12:5, and", [("src/app.py", 12)]),
        ("(lib/x.go#L3-L9)", [("lib/x.go", 3)]),
        ("settings.py is it.", [("settings.py", None)]),
        ("below src/app/ somewhere", [("src/app/", None)]),
        ("C:\\src\\Cart.cs(12,3) failed", [("C:/src/Cart.cs", 12)]),
        ("./a/b.ts and ../c.ts", [("./a/b.ts", None), ("../c.ts", None)]),
        ("pages/[id].tsx", [("pages/[id].tsx", None)]),
        ("https://example.org/o/r/blob/main/a.py#L5", [("o/r/blob/main/a.py", 5)]),
        ("quelle/größe.py", [("quelle/größe.py", None)]),
        ("at 12:30 or 3/4 of it", []),
    ],
)
def test_paths_and_lines_are_recognised(text: str, expected: list[tuple[str, int | None]]) -> None:
    query = understand(text)
    assert [(path.path, path.line) for path in query.paths] == expected
    assert all(0 <= path.position < len(text) for path in query.paths)


@pytest.mark.parametrize(
    ("line", "path", "number", "function"),
    [
        ('  File "/srv/app/views.py", line 12, in handle', "/srv/app/views.py", 12, "handle"),
        ('  File "app/db.py", line 3', "app/db.py", 3, ""),
        ("    at Cart.add (/srv/shop/cart.js:10:5)", "/srv/shop/cart.js", 10, "Cart.add"),
        ("    at async run (file:///srv/index.mjs:3:1)", "/srv/index.mjs", 3, "run"),
        ("    at Cart.get total [as total] (/srv/cart.js:3:1)", "/srv/cart.js", 3, "total"),
        ("    at /srv/x.ts:33:2", "/srv/x.ts", 33, ""),
        ("\tat com.shop.Cart.add(Cart.java:12)", "Cart.java", 12, "com.shop.Cart.add"),
        ("\t/tmp/sandbox/prog.go:33 +0x1d", "/tmp/sandbox/prog.go", 33, ""),
        ("#0 /srv/src/Cart.php(12): Shop\\Cart->add()", "/srv/src/Cart.php", 12, "Shop\\Cart->add"),
        (
            "   at Shop.Cart.Add(Int32 id) in C:\\src\\Cart.cs:line 12",
            "C:/src/Cart.cs",
            12,
            "Shop.Cart.Add",
        ),
        ("app/models/cart.rb:12:in `add'", "app/models/cart.rb", 12, "add"),
        ("             at ./src/main.rs:4:5", "./src/main.rs", 4, ""),
        ("    #1 0x4f in add_item src/cart.c:12:5", "src/cart.c", 12, "add_item"),
        ("    (shop 1.0) lib/cart.ex:12: Cart.add/1", "lib/cart.ex", 12, "Cart.add/1"),
        ("tests/test_cart.py:12: in test_add", "tests/test_cart.py", 12, "test_add"),
        ("in src/cart.py:12", "src/cart.py", 12, ""),
    ],
)
def test_stack_frames_are_recognised(line: str, path: str, number: int, function: str) -> None:
    (frame,) = understand(f"It fails:\n{line}\n").frames
    assert (frame.path, frame.line, frame.function) == (path, number, function)


@pytest.mark.parametrize(
    "line", ["It takes 10:30 minutes", "See (note 1): all", "a ratio of 3:1", "x = y[1:2]", ""]
)
def test_other_numbers_are_no_stack_frames(line: str) -> None:
    assert understand(line).frames == ()


@pytest.mark.parametrize(
    ("text", "kind", "pieces"),
    [
        (
            'x\n  File "a.py", line 1, in f\n    g("b")\n'
            "app.FieldError: Cannot resolve 'nme' into field\n",
            "app.FieldError",
            ("Cannot resolve", "into field"),
        ),
        (
            "TypeError: Cannot read field of undefined (reading 'id')\n    at add (a.js:1:5)\n",
            "TypeError",
            ("Cannot read field of undefined (reading",),
        ),
        ("src/cart.c:12:5: error: unknown type name 'foo'\n", "error", ("unknown type name",)),
        (
            'It says ValueError: no user named "joe" in 42 tries',
            "ValueError",
            ("no user named", "tries"),
        ),
        ("```\nFehler beim Öffnen von 'x.txt'\n```", "", ("Fehler beim Öffnen von",)),
    ],
)
def test_error_messages_are_recognised(text: str, kind: str, pieces: tuple[str, ...]) -> None:
    found = [(error.kind, error.pieces) for error in understand(text).errors]
    assert (kind, pieces) in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('the "Save as" button', ["Save as"]),
        ("the “Save as” and «Öffnen» buttons", ["Save as", "Öffnen"]),
        ("「保存」ボタン", ["保存"]),
        ("it's what isn't 'quoted text' here", ["quoted text"]),
        ("`load()` and ``a`` ", ["load()", "a"]),
    ],
)
def test_quoted_texts_are_recognised(text: str, expected: list[str]) -> None:
    query = understand(text)
    assert [quote.text for quote in query.quoted] == expected
    for quote in query.quoted:
        assert text[quote.position :].startswith(quote.text)


def test_code_blocks_are_recognised() -> None:
    query = understand("a\n```py\nx = 1\n```\nb\n  ~~~~\n```\ny\n~~~~\n```\nnever closed")
    assert [block.text for block in query.code_blocks] == ["x = 1", "```\ny", "never closed"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n## Session isn't saved\n\nIt is lost in get_user.\n", "Session isn't saved"),
        ("Где сохраняется сессия?", "Где сохраняется сессия?"),
        (" \n", ""),
        # A final sentence that only asks about the statements before it is not part of the title.
        ("A parcel is sent twice. What decides that?\nstamp", "A parcel is sent twice."),
        ("A parcel is to be sent twice; what decides that?", "A parcel is to be sent twice;"),
        ("It is v1.2? No. Why?", "It is v1.2? No."),
        ("It fails. Where is the stamp set?", "It fails. Where is the stamp set?"),
        ("It is sent twice. Is get_it called?", "It is sent twice. Is get_it called?"),
        ("It is sent twice. Where is `it`?", "It is sent twice. Where is `it`?"),
        ("It is sent twice? Why?", "It is sent twice? Why?"),
    ],
)
def test_title_is_the_first_line_without_closing_question(text: str, expected: str) -> None:
    assert understand(text).title == expected


QUESTIONS = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.sampled_from(
            [
                "```\n",
                "`",
                '"',
                "'",
                "a.py:1",
                "at f (a.js:1:2)\n",
                'File "x.py", line 1, in y\n',
                "\r\n",
            ]
        ),
    ),
    max_size=30,
).map("".join)


@given(QUESTIONS)
def test_every_position_points_into_the_text(text: str) -> None:
    query = understand(text)
    for quote in query.quoted:
        assert query.text[quote.position :].startswith(quote.text)
    for block in query.code_blocks:
        assert query.text[block.position :].startswith(block.text)
    for frame in query.frames:
        assert (
            str(frame.line) in query.text[slice(*frame.span)].replace("０", "0") or frame.line >= 0
        )
    for name in query.identifiers:
        assert name.text in query.text


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "a/",
        "a.",
        " ",
        "(",
        "a:1 ",
        "`",
        "```\n",
        "at a (b\n",
        "a://",
        "<",
        "a a a: ",
        "\n",
        "'\"",
        "  " * 300 + "a.js:1 x\n",
    ],
)
def test_hostile_repetition_stays_linear(unit: str) -> None:
    """Each of these would take minutes if a regular expression backtracked over it."""
    assert understand((unit * 20_000)[:20_000]).text
