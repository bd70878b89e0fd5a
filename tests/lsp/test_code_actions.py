"""Code actions, and the questions that they ask about a place."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.fixture import parse
from tests.lsp.conftest import as_data, connector, execute, initialize
from tests.lsp.editor import Editor, editor
from tests.shop import SHOP

__all__ = ["editor"]
pytestmark = pytest.mark.asyncio(loop_scope="module")


async def actions(
    editor: Editor, path: str, line: int, selected: int = 0, **context: Any
) -> dict[str, dict[str, Any]]:
    """Title -> command. lsprotocol parses every code action as a command, which is undone here."""
    place = types.Position(line - 1, 4)
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(editor.uri(path)),
        types.Range(place, types.Position(line - 1, 4 + selected)),
        types.CodeActionContext(**{"diagnostics": [], **context}),
    )
    found = await editor.client.text_document_code_action_async(params) or []
    return {each.title: ast.literal_eval(each.command) for each in found}


@pytest.mark.parametrize("selected", [0, 1])
async def test_comment_offers_to_ask_its_text(editor: Editor, selected: int):
    comment = "# How does place_order\n# save an order?\n"
    editor.open("shop/web.py", comment + (editor.folder / "shop/web.py").read_text("utf-8"))
    try:
        found = await actions(editor, "shop/web.py", 2, selected)
        ask = found["Ask Sightline: How does place_order save an order?"]
        editor.client.shown_documents.clear()
        await execute(editor.client, "explore", *ask["arguments"])
        assert len(editor.client.shown_documents) == 1, "an editor without a plugin sees the answer"
    finally:
        editor.close("shop/web.py")


@pytest.mark.parametrize(
    ("path", "line", "selected", "expected_question"),
    [
        ("shop/web.py", "# Why so?", 0, "Why so?"),
        ("shop/web.py", "# Why so?", 3, "y s"),
        ("shop/web.py", "who = 1", 2, None),
        ("shop/parcel.c%2B%2B", "// Why so?", 0, "Why so?"),
        ("untitled:parcel.py", "# Why so?", 0, "Why so?"),
        ("shop/web.py", "# " + "o" * 70, 0, "o" * 70),
        ("shop/web.py", "# " + "o" * 71, 0, "o" * 69 + "…"),
    ],
)
async def test_comment_or_selection_is_offered_as_question(
    editor: Editor, path: str, line: str, selected: int, expected_question: str | None
):
    editor.open(path, line)
    try:
        titles = await actions(editor, path, 1, selected)
        questions = [each for each in titles if each.startswith("Ask")]
        assert questions == [f"Ask Sightline: {expected_question}"] * (
            expected_question is not None
        )
    finally:
        editor.close(path)


async def test_code_offers_questions_about_its_use(editor: Editor):
    editor.open("shop/orders.py")
    try:
        found = await actions(editor, "shop/orders.py", 5)
        places = {title: each["arguments"] for title, each in found.items()}
        uri = editor.uri("shop/orders.py")
        at = {"uri": uri, "position": {"line": 4, "character": 4}, "show": True}
        assert places == {
            "Explain how this is reached": [at | {"ask": "reached"}],
            "Where is this used": [at | {"ask": "used"}],
        }
        reached = await execute(editor.client, "exploreAt", *places["Explain how this is reached"])
        assert as_data(reached)["query"] == "How is `place_order` reached?"
    finally:
        editor.close("shop/orders.py")


KIND, SEVERITY = types.CodeActionKind, types.DiagnosticSeverity


@pytest.mark.parametrize(
    ("diagnostics", "only", "expected_query"),
    [
        ({"so it is": None}, [KIND.QuickFix], "so it is"),
        ({"may be": SEVERITY.Warning, "is wrong": SEVERITY.Error}, [KIND.QuickFix], "is wrong"),
        ({"may be": SEVERITY.Warning, "so it is": None}, [KIND.QuickFix], "so it is"),
        ({"may be": SEVERITY.Warning}, [KIND.Refactor, KIND.QuickFix], "may be"),
        ({"is wrong": SEVERITY.Error}, [KIND.Empty], "is wrong"),
        ({"is wrong": SEVERITY.Error}, [KIND.Refactor], None),
        ({"by the way": SEVERITY.Information}, [KIND.QuickFix], None),
        ({" ": SEVERITY.Error}, [KIND.QuickFix], None),
    ],
)
async def test_worst_diagnostic_of_a_line_is_asked_about(
    editor: Editor,
    diagnostics: dict[str, types.DiagnosticSeverity | None],
    only: list[types.CodeActionKind],
    expected_query: str | None,
):
    span = types.Range(types.Position(6, 4), types.Position(6, 9))
    lsp_diagnostics = [
        types.Diagnostic(span, each, severity) for each, severity in diagnostics.items()
    ]
    editor.open("shop/orders.py")
    try:
        found = await actions(editor, "shop/orders.py", 7, diagnostics=lsp_diagnostics, only=only)
        errors = [each["arguments"] for title, each in found.items() if "error" in title]
        anchor = {
            "uri": editor.uri("shop/orders.py"),
            "position": {"line": 6, "character": 4},
        }
        question = {"query": expected_query, "intent": "debug", "anchor": anchor, "show": True}
        assert errors == ([] if expected_query is None else [[question]])
        for arguments in errors:
            assert (
                as_data(await execute(editor.client, "explore", *arguments))["query"]
                == expected_query
            )
    finally:
        editor.close("shop/orders.py")


@pytest.mark.parametrize(
    ("path", "line", "context"),
    [
        ("shop/orders.py", 3, {}),
        ("shop/orders.py", 7, {"trigger_kind": types.CodeActionTriggerKind.Automatic}),
        ("shop/orders.py", 9, {}),
        ("../outside.py", 7, {}),
    ],
    ids=["blank line", "automatic trigger", "past the last line", "outside the workspace"],
)
async def test_no_actions_where_nothing_can_be_asked(
    editor: Editor, path: str, line: int, context: dict[str, Any]
):
    editor.open(path, (editor.folder / "shop/orders.py").read_text(encoding="utf-8"))
    try:
        assert await actions(editor, path, line, **context) == {}
    finally:
        editor.close(path)


async def test_no_actions_in_a_file_that_is_not_open(editor: Editor):
    assert await actions(editor, "shop/orders.py", 7) == {}


@pytest.mark.parametrize(
    ("folders", "file", "count"),
    [(1, "tree/shop/orders.py", 2), (1, "outside.py", 0), (0, "tree/shop/orders.py", 0)],
)
async def test_editor_without_code_action_literals_gets_commands(
    tmp_path: Path, folders: int, file: str, count: int
):
    """It gets commands, even before the first question, for files in open folders and no others."""
    shop = parse(SHOP).write(tmp_path / "tree")
    async with connector(tmp_path)() as client:
        await initialize(client, *[shop] * folders)
        uri = (tmp_path / file).as_uri()
        Editor(client, shop).open(uri, (shop / "shop/orders.py").read_text(encoding="utf-8"))
        start = types.Position(6, 4)
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(uri),
            types.Range(start, start),
            types.CodeActionContext([]),
        )
        found = await client.text_document_code_action_async(params) or []
        assert [each.command for each in found] == ["sightline.exploreAt"] * count


@pytest.mark.parametrize(
    ("argument", "query"),
    [
        ({"position": {"line": 3, "character": 4}}, "What does `save_order` do?"),
        ({"position": {"line": 3, "character": 14}, "ask": "used"}, "Where is `save_order` used?"),
        (
            {"position": {"line": 4, "character": 0}, "ask": "used"},
            "Where is `ORDERS.append(order)` used?",
        ),
        ({"line": 4, "query": " "}, "What does `def save_order(order):` do?"),
        ({"line": 4, "query": "Why so?"}, "Why so?"),
    ],
)
@pytest.mark.parametrize("is_anchor", [True, False])
async def test_explore_at_makes_a_question_of_a_place(
    editor: Editor, argument: dict[str, Any], query: str, is_anchor: bool
):
    params = dict(argument)
    place = {"path": "shop/store.py"}
    place |= {key: params.pop(key) for key in ("line", "position") if key in params}
    params |= {"anchor": place} if is_anchor else place
    assert as_data(await execute(editor.client, "exploreAt", params))["query"] == query


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ({}, "The place is missing"),
        ({"path": "shop/web.py", "line": 900}, "shop/web.py has no line 900"),
        ({"path": "shop/web.py", "line": 2}, "Line 2 of shop/web.py is empty"),
        ({"uri": "file:///elsewhere.py", "position": {}}, "file:///elsewhere.py"),
    ],
)
async def test_explore_at_refuses_unusable_places(
    editor: Editor, argument: dict[str, Any], message: str
):
    with pytest.raises(JsonRpcException, match=f"^{message}") as raised:
        await execute(editor.client, "exploreAt", argument)
    assert raised.value.code == -32602
