"""Code actions: a way to ask questions in editors that have no prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from explorer_core.contracts import QUERY_LIMIT
from lsp_server.command_names import EXPLORE, EXPLORE_AT
from lsp_server.comments import comment_at
from lsp_server.convert import to_lines, uri_to_path
from lsp_server.features.explore_at import WORD
from lsp_server.protocol import AnchorParams, ExploreParams, PositionParams
from lsp_server.workspace.documents import Document

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_TITLE_CHARS = 70
_SHORTEST_QUESTION = 3
_PLACE_TITLES = {
    "reached": "Explain how this is reached",
    "used": "Where is this used",
}


def register(server: SightlineServer) -> None:
    """Add code actions."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def actions(
        ls: SightlineServer, params: types.CodeActionParams
    ) -> list[types.CodeAction | types.Command]:
        uri = params.text_document.uri
        document = ls.session.documents.document(uri)
        # Editors that request actions at every cursor movement would offer ours everywhere.
        is_automatic = params.context.trigger_kind == types.CodeActionTriggerKind.Automatic
        if document is None or is_automatic or not ls.session.workspace.folders:
            return []
        found = [*_text_questions(ls, params, document)]
        if ls.session.is_inside(uri):
            found += [*_place_questions(params, document), *_error_questions(params)]
        supports_literals = _supports_literals(ls)
        return [
            types.CodeAction(
                title=command.title, kind=kind, command=command, diagnostics=diagnostics
            )
            if supports_literals
            else command
            for command, kind, diagnostics in found
            if _matches_filter(kind, params.context.only)
        ]


_Action = tuple[types.Command, types.CodeActionKind, list[types.Diagnostic] | None]


def _text_questions(
    ls: SightlineServer, params: types.CodeActionParams, document: Document
) -> Iterator[_Action]:
    """The selected text, or the comment at the cursor, as a question."""
    span, uri = params.range, params.text_document.uri
    question = " ".join(document.text_in(span, ls.session.encoding).split())
    # Some editors have no empty selection, only one of a character.
    if len(question) < _SHORTEST_QUESTION:
        file = uri_to_path(uri)
        question = comment_at(str(file or uri), document.lines, span.start.line + 1) or ""
    if len(question) >= _SHORTEST_QUESTION:
        argument = {"query": question[:QUERY_LIMIT], "show": True}
        yield _action(f"Ask Sightline: {_shorten(question)}", EXPLORE, argument)


def _place_questions(params: types.CodeActionParams, document: Document) -> Iterator[_Action]:
    """Questions about the name at the cursor, if the range is one line with a word in it."""
    start, lines = params.range.start, document.lines
    if to_lines(params.range).start != to_lines(params.range).end:
        return
    if start.line >= len(lines) or not WORD.search(lines[start.line]):
        return
    place = {
        "uri": params.text_document.uri,
        "position": {"line": start.line, "character": start.character},
        "show": True,
    }
    for ask, title in _PLACE_TITLES.items():
        yield _action(title, EXPLORE_AT, place | {"ask": ask})


def _error_questions(params: types.CodeActionParams) -> Iterator[_Action]:
    errors = [
        each
        for each in params.context.diagnostics
        if each.severity in (None, types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning)
    ]
    if not errors:
        return
    worst = min(errors, key=lambda each: each.severity or types.DiagnosticSeverity.Error)
    start = worst.range.start
    position = PositionParams(line=start.line, character=start.character)
    anchor = AnchorParams(uri=params.text_document.uri, position=position)
    query = str(worst.message)[:QUERY_LIMIT]
    if query.strip():
        question = ExploreParams(query=query, intent="debug", anchor=anchor, show=True)
        argument = question.model_dump(by_alias=True, exclude_unset=True)
        title = "Explore the error on this line"
        yield _action(title, EXPLORE, argument, types.CodeActionKind.QuickFix, [worst])


def _action(
    title: str,
    command: str,
    argument: dict[str, Any],
    kind: types.CodeActionKind = types.CodeActionKind.Empty,
    diagnostics: list[types.Diagnostic] | None = None,
) -> _Action:
    return types.Command(title=title, command=command, arguments=[argument]), kind, diagnostics


def _matches_filter(
    kind: types.CodeActionKind, only: Sequence[types.CodeActionKind | str] | None
) -> bool:
    return not only or any(not each or kind == each for each in only)


def _supports_literals(ls: SightlineServer) -> bool:
    document = ls.client_capabilities.text_document
    actions = document.code_action if document else None
    return actions is not None and actions.code_action_literal_support is not None


def _shorten(text: str) -> str:
    return text if len(text) <= _TITLE_CHARS else text[: _TITLE_CHARS - 1].rstrip() + "…"
