"""What extraction guarantees for any text in any language."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer_core.index import languages
from explorer_core.index.extraction.expressions import LONGEST
from explorer_core.index.extraction.extract import extract
from explorer_core.index.extraction.facts import TOP, FileFacts
from tests import fixture
from tests.index.test_languages import FIXTURES


def fixture_files() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for file in sorted(FIXTURES.glob("*.txt")):
        text = file.read_text(encoding="utf-8").partition("====\n")[0]
        found += fixture.parse(text).files.items()
    return found


def check_places(facts: FileFacts, text: str) -> None:
    """Check that places lie in the text, containers enclose, and names are where the facts say."""
    lines = text.split("\n")
    for ordinal, one in enumerate(facts.definitions):
        assert 1 <= one.start <= one.line <= one.end <= max(facts.line_count, 1)
        assert TOP <= one.container < ordinal
        assert len(one.signature) <= 200
        assert "\n" not in one.signature + one.doc
        assert one.name
        if one.container != TOP:
            outer = facts.definitions[one.container]
            assert outer.start <= one.start
            assert one.end <= outer.end
    for one in facts.references:
        assert lines[one.line - 1][one.column :].startswith(one.name)
        assert TOP <= one.scope < len(facts.definitions)
        assert len(one.receiver) <= LONGEST
    for one in facts.lambdas:
        assert TOP <= one.scope < len(facts.definitions)
        assert one.definition == TOP or facts.definitions[one.definition].name == one.keys[-1]
    for one in facts.types:
        assert TOP <= one.scope < len(facts.definitions)


@pytest.mark.parametrize(("path", "text"), fixture_files(), ids=lambda value: value[:20])
def test_places_are_consistent_in_fixtures(path: str, text: str) -> None:
    facts = extract(path, text)
    assert facts is not None
    check_places(facts, text)


@pytest.mark.parametrize("path", ["a.html", "a.vue", "a.svelte", "typed.vue", "typed.svelte"])
def test_comment_types_count_in_embedded_javascript_only(path: str) -> None:
    language = ' lang="ts"' if path.startswith("typed") else ""
    script = "/** @type {Store} */\nconst store = open();\n"
    facts = extract(path, f"<script{language}>\n{script}</script>\n")
    assert facts is not None
    documented = [one.type for one in facts.types if one.source == "annotation"]
    assert documented == ([] if language else ["Store"])


def test_unterminated_string_leaves_consistent_places() -> None:
    text = "<?php\nf('" + "; $a" * 30 + "->b('\n');\n$c->d('e')->f();\n"
    facts = extract("a.php", text)
    assert facts is not None
    check_places(facts, text)


@settings(max_examples=150, deadline=None)
@given(
    source=st.sampled_from(fixture_files()),
    cut=st.tuples(st.integers(0, 3000), st.integers(0, 400)),
    junk=st.text(alphabet="(){}[]<>'\"\\`;:,.=\n \t\0é漢😀ab1$@#", max_size=12),
)
def test_damaged_text_never_raises(
    source: tuple[str, str], cut: tuple[int, int], junk: str
) -> None:
    path, text = source
    at = cut[0] % (len(text) + 1)
    damaged = text[:at] + junk + text[at + cut[1] :]
    facts = extract(path, damaged)
    assert facts is not None
    check_places(facts, damaged)


@pytest.mark.parametrize("language", languages.names())
@pytest.mark.parametrize("text", ["", "\n", "\0", "(" * 2000, "\ud800 x", "é" * 50, "\x0c\x1c\n x"])
def test_odd_text_is_extracted_in_every_language(language: str, text: str) -> None:
    spec = languages.spec(language)
    path = "x" + spec.suffixes[0] if spec.suffixes else spec.filenames[0]
    facts = extract(path, text)
    assert facts is not None
    assert facts.language == language


def test_unknown_language_has_no_facts() -> None:
    assert extract("data.unknown", "x = 1") is None


def test_shebang_names_the_language() -> None:
    facts = extract("bin/tool", "#!/usr/bin/env python3\ndef f(): pass\n")
    assert facts is not None
    assert [one.name for one in facts.definitions] == ["f"]


def test_minified_text_has_no_definitions() -> None:
    facts = extract("app.min.js", "function a(){return b()};" * 4000)
    assert facts is not None
    assert facts.definitions == ()


def test_parse_errors_are_reported_and_the_rest_kept() -> None:
    facts = extract("a.py", "def good():\n    return 1\n\ndef bad(:\n")
    assert facts is not None
    assert facts.has_errors
    assert "good" in [one.name for one in facts.definitions]


@pytest.mark.parametrize(
    ("line", "column"), [("x = 1; go()", 7), ("é = 1; go()", 7), ("s = '漢😀'; go()", 10)]
)
def test_columns_count_code_points(line: str, column: int) -> None:
    facts = extract("a.py", line + "\n")
    assert facts is not None
    assert [(one.name, one.column) for one in facts.references if one.name == "go"] == [
        ("go", column)
    ]


@pytest.mark.parametrize(
    ("path", "statement", "expected"),
    [
        (
            "a.rs",
            "use crate::{ // of {our, own}\n  a::b,\n  c::{self, D as E,\n    f::*},\n  é::ü};",
            ["b 2", "c 3", "E 3", "* 4", "ü 5"],
        ),
        ("A.scala", "import a.b.{c,\n  d => e}\nimport x.y,\n  z.w", ["c 1", "e 2", "y 3", "w 4"]),
        ("A.scala", "import a.b.given\nimport c.d._\nimport e.f.*", ["* 1", "* 2", "* 3"]),
        ("a.rs", "use a::given;\nuse b::*;", ["given 1", "* 2"]),
        ("a.php", "<?php\nuse A\\given;", ["given 2"]),
        ("A.java", "import a.given;\nimport b.*;", ["given 1", "* 2"]),
        ("A.kt", "import a.given\nimport b.*", ["given 1", "* 2"]),
    ],
)
def test_import_has_the_line_of_its_name(path: str, statement: str, expected: list[str]) -> None:
    facts = extract(path, statement + "\n")
    assert facts is not None
    assert [f"{one.local} {one.line}" for one in facts.imports] == expected


_LONG_TEXT = "a_text_that_makes_it_long_" * 4


@pytest.mark.parametrize(
    ("text", "receiver"),
    [
        (f"a.b('{_LONG_TEXT}').last", "a.b()"),
        (f"new A().b('{_LONG_TEXT}', f(c)).d(1).last", "new A().b().d()"),
        (f"a.b('{_LONG_TEXT}')[0].last", "a.b[]"),
        (f"a.b(c)('{_LONG_TEXT}').last", "a.b[]"),
        (f"a.b('http://{_LONG_TEXT}') // and (so) on\n .last", "a.b()"),
        (f"a.b<C<D>>('{_LONG_TEXT}').last", "a.b()"),
        (f"a.b(() => {{ {_LONG_TEXT.replace('_', '; ')} }}).last", "a.b()"),
    ],
)
def test_long_receiver_is_stored_without_arguments(text: str, receiver: str) -> None:
    facts = extract("a.ts", f"x = {text}(1)\n")
    assert facts is not None
    assert [one.receiver for one in facts.references if one.name == "last"] == [receiver]


def test_very_long_call_chain_is_extracted() -> None:
    """It is longer than the recursion limit."""
    facts = extract("a.ts", "x = a" + ".b(c)\n" * 2 * sys.getrecursionlimit())
    assert facts is not None
    assert max(len(one.receiver) for one in facts.references) <= 300


_TYPE_ARGUMENTS = ", ".join(["IdentityUserClaim<string>"] * 4)


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        (
            "a.cs",
            f"class A<F>(F f)\n  where F : B<F, {_TYPE_ARGUMENTS},\n  C<string>>.D\n{{}}\n",
            "B",
        ),
        ("a.cs", f"class A(Outer.Inner<{_TYPE_ARGUMENTS}> given) {{}}\n", "Inner"),
        ("a.cpp", f"void f(std::map<{_TYPE_ARGUMENTS}> const& given);\n", "map"),
    ],
)
def test_generic_type_name_survives_long_type_arguments(path: str, text: str, name: str) -> None:
    facts = extract(path, text)
    assert facts is not None
    check_places(facts, text)
    assert name in facts.references.names()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "app.get('/users/:id', auth, async (req, res) => { find(req); });",
            "app.get('/users/:id')",
        ),
        ("app.get('/', wrap(async (req, res) => find(req)));", "app.get('/')"),
        ("io.on('open', (s) => { s.on(`m`, function () {}); });", "io.on('open') s.on(`m`)"),
        ("(() => { io.on('open', () => {}); })();", "io.on('open')"),
        ("a.module('b').controller('C', function () { function f() {} });", "controller('C') f"),
        ("class A { static { A.on('b', () => {}); } }", "A A.A.on('b')"),
        ("function f() { io.on('open', () => {}); }", "f"),
        ("const b = a.replace('a', (m) => m);", "b"),
        ("it('is a sentence', () => {});", ""),
        ("app.use((req, res) => {});", ""),
        ("customElements.define('x-y', class { go() {} });", "go"),
    ],
)
def test_anonymous_function_is_named_after_call_it_is_passed_to(text: str, names: str) -> None:
    """If the call has a text argument and is a top-level statement, outside any named function."""
    facts = extract("a.js", text)
    assert facts is not None
    check_places(facts, text)
    assert " ".join(map(facts.qualified_name, range(len(facts.definitions)))) == names


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        ("keep((n) => { g(n); }, [])", "function constant"),
        ("keep(memo(function (n) { g(n); }), 3)", "function constant"),
        ("React.keep(async () => { g(); })", "function constant"),
        ("(n) => { g(n); }", "function function"),
        # a method call on a value, a condition, and a callback without calls
        ("items.map((n) => { g(n); })", "function"),
        ("keep(items, (n) => { g(n); })", "function"),
        ("keep((n) => n.next)", "function"),
        ("keep(1)", "function"),
    ],
)
def test_local_made_from_a_callback_is_a_definition(value: str, kinds: str) -> None:
    text = f"function f() {{\n  const load = {value};\n  load(1);\n}}\n"
    facts = extract("a.ts", text)
    assert facts is not None
    check_places(facts, text)
    assert " ".join(each.kind for each in facts.definitions) == kinds
    calls = [each for each in facts.references if each.name == "g"]
    assert all(each.scope == len(facts.definitions) - 1 for each in calls)


def test_object_literal_without_key_is_not_a_definition() -> None:
    text = "const make = (path) => async () => {\n  await fetch(path, {\n    a: 1,\n  });\n};\n"
    facts = extract("a.ts", text)
    assert facts is not None
    assert facts.lambdas
    check_places(facts, text)


@pytest.mark.parametrize(
    ("path", "text", "signature", "doc"),
    [
        ("a.py", "def f(a,  # the first\n      b='#'):  # why\n    pass\n", "def f(a, b='#')", ""),
        ("a.rb", "class Foo # A comment.\nend\n", "class Foo end", ""),
        ("a.go", "package a\nfunc F( // first\n\ta int, /* second */ b string) {}\n", "", ""),
        ("a.php", "<?php\n#[A('/x')]\nfunction f($a = '//') {}\n", "function f($a = '//')", ""),
        (
            "a.kt",
            "/** Of the user. */\ndata class User(val name: String)\n",
            "val name: String",
            "",
        ),
        (
            "a.kt",
            "/** Of the user. */\nprivate fun user() {}\n",
            "private fun user()",
            "Of the user.",
        ),
    ],
)
def test_signature_omits_comments_and_doc_needs_line_start(
    path: str, text: str, signature: str, doc: str
) -> None:
    facts = extract(path, text)
    assert facts is not None
    last = facts.definitions[-1]
    assert (last.signature, last.doc) == (signature or "func F( a int, b string)", doc)


@pytest.mark.parametrize(
    ("path", "text", "packages"),
    [
        ("a.cs", "namespace A { } namespace B.C { } namespace A { }", ("A", "B.C")),
        ("a.cs", "namespace A { namespace B { } namespace C { } } ", ("A", "A.B", "A.C")),
        ("a.cs", "namespace A;\nclass C { }", ("A",)),
        ("a.php", "<?php\nnamespace A;\nclass C { }\nnamespace B;\n", ("A", "B")),
        ("a.scala", "package a\npackage b.c\nclass C", ("a.b.c",)),
        ("a.scala", "package a { package b { class C } }\npackage c { }", ("a", "a.b", "c")),
        ("a.scala", "class C", ()),
    ],
)
def test_file_belongs_to_every_package_it_declares(
    path: str, text: str, packages: tuple[str, ...]
) -> None:
    facts = extract(path, text)
    assert facts is not None
    assert facts.packages == packages


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("on('cart_filled', f); on('cart-filled', f); on('cart/filled', f)", 3),
        ("on('cartFilled', f); on('Cart.filled', f); on('cart:filled:now', f)", 3),
        ("on('cart filled', f); on('cart filled now', f); on('cart own_filled', f)", 3),
        ("on('filled', f); on('FILLED', f); on('a cart is filled', f); on('-', f)", 0),
        ("on('Cart filled', f); on('cart filled.', f); on('cart  filled', f)", 0),
        # A text of many words that is not a name after all: no backtracking over all splits.
        (f"on('{'aB' * 29}!', f)", 0),
    ],
)
def test_only_texts_of_several_words_are_topics(text: str, names: int) -> None:
    facts = extract("a.js", text)
    assert facts is not None
    assert len(facts.topics) == names


def test_unclosed_code_in_markup_is_scanned_once() -> None:
    facts = extract("a.erb", "<%= " * 20_000 + "show")
    assert facts is not None


def test_macro_argument_does_not_swallow_following_functions() -> None:
    """Patterns are no code: read as that, ``| Event::Entered { .. }`` begins a function that goes
    on in what the next macro is given."""
    text = """
impl Keys {
    fn skip(event: &Event) -> bool {
        matches!(
            | Event::Entered { .. }
                | Event::Pinch { .. }
                | Event::Axis { .. }
                | Event::Pan { .. }
        )
    }
    fn press(&self) {
        info!(target: LOG, "{event:?}");
    }
    fn spawn<I, S>(&self, program: &str, args: I) {}
}
"""
    facts = extract("keys.rs", text)
    assert facts is not None
    names = [facts.qualified_name(at) for at in range(len(facts.definitions))]
    assert names == ["Keys.skip", "Keys.press", "Keys.spawn"]
