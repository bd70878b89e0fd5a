"""The comment on a line, as opposed to what looks like one inside a string."""

from __future__ import annotations

import pytest

from lsp_server.comments import comment_at


@pytest.mark.parametrize(
    ("path", "line", "comment"),
    [
        ("a.py", "x = 1  # b c", "b c"),
        ("a.py", 'x = "a # b c"', None),
        ("a.py", "x = 'a # b c'", None),
        ("a.py", 'x = "a # b"  # c', "c"),
        ("a.py", "x = 'it\\'s # b'", None),
        ("a.py", 'x = "a"  # it\'s "b', "it's \"b"),
        ("a.py", 'x = """a # b"""', None),
        ("a.js", "x = `a // b`", None),
        ("a.js", "x = 'http: // b' // c", "c"),
        ("a.js", "x = '/* b */'", None),
        ("a.js", "x = '/* b */' /* c */", "c"),
        ("a.rs", "fn f<'a>() {} // c", "c"),
        ("a.rs", "fn f<'a>(x: &'a str) {} // c", "c"),
        ("a.php", "$x = 1; # c", "c"),
        ("a.sh", "echo it\\'s # b", "b"),
        ("a.js", 'x = "' + '\\"' * 300_000, None),
    ],
)
def test_a_comment_at_the_end_of_a_line(path: str, line: str, comment: str | None):
    assert comment_at(path, [line], 1) == comment


def test_a_comment_of_several_lines():
    lines = ["x = 1 /* a", " * b", " */", 'y = "*/"']
    assert [comment_at("a.js", lines, line) for line in (1, 2, 3, 4)] == ["a b"] * 3 + [None]
