"""The MCP server with its tools and resources. Their descriptions are in `texts`."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, cast

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import (
    CallToolResult,
    InputRequiredResult,
    ListRootsResult,
    TextContent,
    ToolAnnotations,
)
from pydantic import ValidationError

from explorer_core import __version__
from explorer_core.contracts import (
    ExploreAnswer,
    ExploreRequest,
    JudgeChoice,
    KeptReportSummary,
    Model,
    ReadAnswer,
    Report,
    SurveyAnswer,
)
from explorer_core.report import render_markdown, render_text
from explorer_core.report.survey import render_summary
from lsp_server.mcp import texts
from lsp_server.mcp.arguments import (
    NONE,
    Angle,
    Angles,
    Around,
    FirstLine,
    Follows,
    IntentName,
    JudgeName,
    Keywords,
    LastLine,
    ListedPath,
    Query,
    Refresh,
    ReportId,
    Scope,
    Topic,
)
from lsp_server.mcp.kept import KeptReport, KeptReports, listed_places
from lsp_server.mcp.progress import Progress
from lsp_server.mcp.reading import check_lines_exist, read_answer
from lsp_server.mcp.roots import Roots, folders
from lsp_server.mcp.workspaces import OpenWorkspace, Unanswerable, Workspaces
from lsp_server.protocol import (
    BadRequest,
    ExploreParams,
    FollowUpParams,
    SurveyParams,
    error_sentence,
    explore_request,
)

logger = logging.getLogger(__name__)

_READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)

Ctx = Context[Any, Any]
_Answer = ExploreAnswer | ReadAnswer | SurveyAnswer


def build(workspaces: Workspaces) -> MCPServer[Any]:
    """A server over the given workspaces; it opens none before the first call."""
    tools = _Tools(workspaces)
    server = _Server(
        tools,
        "sightline",
        title="Sightline",
        instructions=texts.instructions(),
        version=__version__,
        log_level="WARNING",
    )
    logging.getLogger("mcp").setLevel(logging.ERROR)
    descriptions = texts.tool_descriptions()
    for tool in (tools.explore_code, tools.read_range, tools.explore_angles):
        name = tool.__name__
        server.add_tool(tool, name=name, description=descriptions[name], annotations=_READ_ONLY)
    server.resource(
        "sightline://reports",
        mime_type="application/json",
        description="The reports of this session, newest first.",
    )(tools.reports)
    server.resource(
        "sightline://report/{report_id}",
        mime_type="application/json",
        description="A report in full.",
    )(tools.report)
    server.resource(
        "sightline://report/{report_id}/markdown",
        mime_type="text/markdown",
        description="A report as a document.",
    )(tools.report_markdown)
    return server


_ANSWERS: dict[str, type[_Answer]] = {
    "explore_code": ExploreAnswer,
    "read_range": ReadAnswer,
    "explore_angles": SurveyAnswer,
}


_WITHOUT_KEYWORDS = (
    "No keywords were given. If the quotes do not answer the question, ask again once, with words"
    " and names that you expect the code to use."
)


class _Server(MCPServer[Any]):
    """Tolerates arguments as the language server does, and answers invalid ones as briefly."""

    def __init__(self, tools: _Tools, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Not listed. As a tool it gets the client's roots, in whatever way the client gives them.
        self._refused = Tool.from_function(tools.refused, structured_output=False)

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Ctx | None = None
    ) -> CallToolResult | InputRequiredResult:
        given_arguments = {key: value for key, value in arguments.items() if value is not None}
        try:
            result = await super().call_tool(name, given_arguments, context)
            self._note_ignored_arguments(name, given_arguments, result)
            return result
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError) or context is None:
                raise
            refusal = {"tool": name, "problem": error_sentence(error.__cause__)}
            return await self._refused.run(refusal, context)

    def _note_ignored_arguments(
        self,
        name: str,
        given_arguments: Mapping[str, Any],
        result: CallToolResult | InputRequiredResult,
    ) -> None:
        """Add a note about unknown arguments: misspelling one changes the question."""
        schema = self._tool_input_schema(name)
        if schema is None or not isinstance(result, CallToolResult):
            return
        known = schema["properties"]
        unknown = [argument for argument in given_arguments if argument not in known]
        if not unknown:
            return
        note = f"{name} has no {', '.join(unknown)[:200]}; its arguments are {', '.join(known)}."
        result.content.append(TextContent(type="text", text=f"Note: {note}"))
        if result.structured_content is not None and "notes" in result.structured_content:
            result.structured_content["notes"].append(note)


class _Tools:
    """The tools of one process, which share its workspaces and the reports it has given."""

    def __init__(self, workspaces: Workspaces) -> None:
        self._workspaces = workspaces
        self._kept = KeptReports()

    async def explore_code(
        self,
        query: Query,
        ctx: Ctx,
        roots: Roots,
        keywords: Keywords = NONE,
        intent: IntentName = "explain",
        scope: Scope = NONE,
        angle: Angle = None,
        judge: JudgeName = "auto",
        force_refresh: Refresh = False,
        follow_up: Follows = None,
    ) -> Annotated[CallToolResult, ExploreAnswer]:
        follows = FollowUpParams(report_id=follow_up) if follow_up else None

        async def answer() -> CallToolResult:
            request = explore_request(
                ExploreParams(
                    query=query,
                    keywords=tuple(keywords),
                    intent=intent,
                    scope=tuple(scope),
                    angle=angle,
                    judge=judge,
                    force_refresh=force_refresh,
                    follow_up=follows,
                )
            )
            async with self._workspaces.using(folders(roots)) as opened:
                earlier = self._kept.get(follow_up) if follow_up else None
                if earlier is not None and earlier.workspace != opened.name:
                    earlier = None
                async with Progress(ctx) as progress:
                    report, texts = await opened.explore(
                        request, earlier and earlier.report, progress.report
                    )
                self._kept.add(report, opened.name, texts)
                return _explore_result(report, opened, _advice(report, request))

        return await self._answer_or_problem(answer, roots, ExploreAnswer)

    async def read_range(
        self,
        report_id: ReportId,
        path: ListedPath,
        start: FirstLine,
        end: LastLine,
        roots: Roots,
        around: Around = 3,
    ) -> Annotated[CallToolResult, ReadAnswer]:
        async def answer() -> CallToolResult:
            async with self._workspaces.using(folders(roots)) as opened:
                file = opened.path(path)
                kept, (first, last) = self._readable(report_id, file, start, end, opened)
                lines = await opened.lines(file)
                change = kept.change_of(file, start, end, lines)
                readable = max(first, start - around), min(last, end + around)
                check_lines_exist(file, start + change.moved_by, end + change.moved_by, lines)
                return _result(*read_answer(opened.name, file, readable, lines, change))

        return await self._answer_or_problem(answer, roots, ReadAnswer)

    async def explore_angles(
        self,
        ctx: Ctx,
        roots: Roots,
        topic: Topic = "",
        angles: Angles = NONE,
        scope: Scope = NONE,
        keywords: Keywords = NONE,
        judge: JudgeName = "auto",
        force_refresh: Refresh = False,
    ) -> Annotated[CallToolResult, SurveyAnswer]:
        async def answer() -> CallToolResult:
            params = SurveyParams(
                topic=topic,
                angles=tuple(angles),
                scope=tuple(scope),
                keywords=tuple(keywords),
                judge=cast("JudgeChoice", judge),
                force_refresh=force_refresh,
            )
            async with self._workspaces.using(folders(roots)) as opened:
                async with Progress(ctx) as progress:
                    summary = await opened.survey(params, progress.report)
                text = f"Workspace: {opened.name}\n{render_summary(summary)}"
                return _result(text, SurveyAnswer(workspace=opened.name, summary=summary))

        return await self._answer_or_problem(answer, roots, SurveyAnswer)

    async def refused(self, tool: str, problem: str, roots: Roots) -> CallToolResult:
        """The answer to arguments that do not fit."""

        async def answer() -> CallToolResult:
            raise BadRequest(problem)

        return await self._answer_or_problem(answer, roots, _ANSWERS[tool])

    async def _answer_or_problem(
        self,
        answer: Callable[[], Awaitable[CallToolResult]],
        roots: ListRootsResult,
        model: type[_Answer],
    ) -> CallToolResult:
        """The answer. An error is an answer too: one sentence that says what to do."""
        try:
            return await answer()
        except ValidationError as error:
            problem = error_sentence(error)
        except (BadRequest, Unanswerable) as error:
            problem = str(error)
        except Exception as error:
            logger.exception("A tool failed.")
            # The message of the exception may contain repository text, so it only goes to the log.
            problem = f"Something went wrong inside Sightline ({type(error).__name__})."
        workspace = await self._workspaces.name(folders(roots))
        text = f"Workspace: {workspace or 'none'}\n{problem}"
        return _result(text, model(workspace=workspace, problem=problem))

    def _readable(
        self, report_id: str, path: str, start: int, end: int, opened: OpenWorkspace
    ) -> tuple[KeptReport, tuple[int, int]]:
        """The report, and the first and last line that may be shown along with these. Raises
        `Unanswerable`."""
        kept = self._kept.get(report_id)
        if kept is None or kept.workspace != opened.name:
            raise Unanswerable(
                f"There is no report {report_id[:40]!r} of this workspace here;"
                " ask explore_code and use the id of its report."
            )
        if end < start:
            raise Unanswerable(f"The range ends at line {end}, before it starts at line {start}.")
        readable = kept.readable(path, start, end)
        if readable is None:
            places = dict.fromkeys(
                f"{where}:{lines.start}-{lines.end}" if lines else where
                for where, lines in listed_places(kept.report)
            )
            raise Unanswerable(
                f"Report {report_id} does not list {path}:{start}-{end}. It lists"
                f" {', '.join(places)}. Read other places with your own tools."
            )
        return kept, readable

    # resources

    def reports(self) -> str:
        """The reports that are kept, as JSON."""
        summaries = [
            KeptReportSummary(
                id=each.report.id,
                query=each.report.query,
                workspace=each.workspace,
                created_at=each.report.created_at,
                uri=f"sightline://report/{each.report.id}",
            )
            for each in self._kept
        ]
        return json.dumps([each.model_dump(mode="json") for each in summaries], indent=1)

    def report(self, report_id: str) -> str:
        """A report's JSON."""
        return self._report(report_id).to_json()

    def report_markdown(self, report_id: str) -> str:
        """A report as Markdown."""
        return render_markdown(self._report(report_id))

    def _report(self, report_id: str) -> Report:
        kept = self._kept.get(report_id)
        if kept is None:
            raise ResourceNotFoundError(
                f"There is no report {report_id[:40]!r}; sightline://reports lists them."
            )
        return kept.report


def _advice(report: Report, request: ExploreRequest) -> str:
    """Advice on what would have improved the answer, empty if there is none."""
    no_keywords = not request.keywords and request.follow_up is None
    return _WITHOUT_KEYWORDS if no_keywords and report.confidence != "high" else ""


def _explore_result(report: Report, opened: OpenWorkspace, advice: str) -> CallToolResult:
    head = f"Workspace: {opened.name} | Report: {report.id}\n"
    note_line = f"Note: {advice}\n" if advice else ""
    text_limit = opened.workspace.settings.report_chars - len(head) - len(note_line)
    answer = ExploreAnswer.of(report, opened.name)
    answer = answer.model_copy(update={"notes": (*answer.notes, advice)}) if advice else answer
    return _result(head + render_text(report, text_limit) + note_line, answer)


def _result(text: str, answer: Model) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=answer.model_dump(mode="json", by_alias=True),
    )
