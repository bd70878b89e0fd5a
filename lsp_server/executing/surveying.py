"""A survey on behalf of another program: an editor's command, or an agent's tool."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from lsp_server.protocol import BadRequest, SurveyParams, check_angle

if TYPE_CHECKING:
    from explorer_core.contracts.survey import SurveySummary
    from explorer_core.explorer import Explorer

_TOPIC_LIMIT = 2000


async def survey(
    explorer: Explorer, params: SurveyParams, on_progress: Callable[[str, float | None], None]
) -> SurveySummary:
    """The summary of a survey; its files go to the workspace's own session. Raises `BadRequest`,
    and what `Surveyor.survey` raises."""
    # Loaded on a thread, since it takes longer than the event loop may be blocked.
    await asyncio.to_thread(importlib.import_module, "explorer_core.angles")
    from explorer_core.angles import Ask, Surveyor

    for angle in params.angles:
        check_angle(angle)
    topic = " ".join(params.topic.split())
    if len(topic) > _TOPIC_LIMIT:
        raise BadRequest(
            f"The topic has {len(topic):,} characters; say it in at most {_TOPIC_LIMIT:,}."
        )
    ask = Ask(topic, keywords=params.keywords, scope=params.scope, judge=params.judge)
    return await Surveyor(explorer).survey(
        ask, params.angles, force=params.force_refresh, on_progress=on_progress
    )
