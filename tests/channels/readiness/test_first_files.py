"""Which files are read first in a folder that has never been indexed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer_core.channels.question.query import understand
from explorer_core.channels.readiness.first_files import files_that_matter
from explorer_core.channels.text_search import occurrences as counting
from explorer_core.channels.text_search.occurrences import Occurrences, occurrences
from explorer_core.contracts import Settings
from explorer_core.registry.traits import aside_from
from explorer_core.workspace import Workspace
from tests.fixture import parse

SHOP = """
    //- shop/orders.py
    def place(basket):
        '''Orders are placed here: an order for each basket.'''
    //- shop/mail.py
    def confirm(user):
        return user
    //- tests/test_orders.py
    def test_place():
        assert place(order), "an order for each basket: orders, orders"
    //- docs/Größe des Korbs.md
    Die Größe. DIE GRÖSSE; größer
    //- secret.env
    ORDER=basket
"""


def files_in_order(
    folder: Path, question: str, *, ahead: tuple[str, str], scope: tuple[str, ...] = ()
) -> list[str]:
    """Check that the first file of ``ahead`` precedes the second, which may be missing.

    Returns all files worth waiting for.
    """
    parse(SHOP).write(folder)
    workspace = Workspace.open(folder, settings=Settings(secret_globs=["*.env"]))
    query = understand(question)
    found = asyncio.run(
        files_that_matter(
            workspace,
            workspace.files(),
            query,
            scope=scope,
            aside=aside_from(query.title),
        )
    )
    one, other = ahead
    assert one in found
    assert other not in found[: found.index(one)]
    return found


def test_tested_file_precedes_its_test(tmp_path: Path) -> None:
    ahead = ("shop/orders.py", "tests/test_orders.py")
    found = files_in_order(tmp_path, "How are orders placed?", ahead=ahead)
    assert "tests/test_orders.py" in found
    assert "shop/mail.py" not in found


def test_test_comes_first_if_the_question_is_about_tests(tmp_path: Path) -> None:
    ahead = ("tests/test_orders.py", "shop/orders.py")
    files_in_order(tmp_path, "Which tests place orders?", ahead=ahead)


def test_file_named_like_a_word_of_the_question_comes_first(tmp_path: Path) -> None:
    files_in_order(tmp_path, "Where is mail written?", ahead=("shop/mail.py", "shop/orders.py"))


def test_file_containing_the_quoted_text_comes_first(tmp_path: Path) -> None:
    question = 'Where are orders placed that say "return user" of orders?'
    files_in_order(tmp_path, question, ahead=("shop/mail.py", "shop/orders.py"))


def test_files_out_of_scope_are_left_out(tmp_path: Path) -> None:
    ahead = ("tests/test_orders.py", "shop/orders.py")
    found = files_in_order(tmp_path, "orders", ahead=ahead, scope=("tests/**",))
    assert found == ["tests/test_orders.py"]


def count_words(folder: Path, words: list[str]) -> Occurrences:
    workspace = Workspace.open(folder, settings=Settings(secret_globs=["*.env"]))
    return asyncio.run(occurrences(workspace, workspace.files(), words, timeout_s=30))


def test_words_are_counted_in_any_case_and_inside_others(tmp_path: Path) -> None:
    parse(SHOP).write(tmp_path)
    found = count_words(tmp_path, ["order", "größe"])
    assert found["shop/orders.py"] == {"order": 2}
    assert found["docs/Größe des Korbs.md"] == {"größe": 2}
    assert "secret.env" not in found


def test_counting_works_if_ripgrep_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse(SHOP).write(tmp_path)
    with_program = count_words(tmp_path, ["order"])
    program = tmp_path / "rg.env"
    program.write_bytes(b"of another system")
    program.chmod(0o755)
    monkeypatch.setattr(counting, "find_ripgrep", lambda *_: str(program))
    assert count_words(tmp_path, ["order"]) == with_program


@given(
    texts=st.lists(
        st.text(st.sampled_from("abAB \n\r\t\0:é"), max_size=40), min_size=1, max_size=4
    ),
    words=st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=3, unique=True),
)
@settings(deadline=None, max_examples=25)
def test_counts_are_equal_with_and_without_ripgrep(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("texts")
    for at, text in enumerate(texts):
        (folder / f"{at} b.txt").write_text(text.replace("\0", ""), "utf-8", newline="")
    with pytest.MonkeyPatch.context() as patched:
        with_program = count_words(folder, words)
        patched.setattr(counting, "find_ripgrep", lambda *_: None)
        assert count_words(folder, words) == with_program
