"""Which judge a request gets. A model is used only where somebody chose one."""

from __future__ import annotations

from explorer_core.contracts import ExploreRequest, JudgeName, Settings
from explorer_core.judges.base import Judge
from explorer_core.judges.models.editor import AskEditor, EditorModelClient
from explorer_core.judges.models.messages_api import MessagesApiClient
from explorer_core.judges.models.model import ModelClient, ModelError
from explorer_core.judges.offline.offline import OfflineJudge

DEFAULT_MODEL = "claude-haiku-5-5"
"""The current small model of the SDK's list, for whoever chooses a judge but no model."""
EDITOR_MODEL = "editor"
"""Value of the setting ``model`` that means the model of the user's editor."""


def chosen_judge(request: ExploreRequest, settings: Settings) -> JudgeName:
    """The request's judge, else the setting's; ``auto`` is a conversation if a model is set."""
    chosen = request.judge if request.judge != "auto" else settings.judge
    if chosen != "auto":
        return chosen
    return "conversation" if settings.model else "offline"


def asked_model(settings: Settings) -> str | None:
    """The model that a question is put to by these settings, None where none is asked."""
    if chosen_judge(ExploreRequest(query="?"), settings) == "offline":
        return None
    return settings.model or DEFAULT_MODEL


def open_client(settings: Settings, ask_editor: AskEditor | None = None) -> ModelClient:
    """A client for the model that the settings name; raises ModelError if there is none."""
    if settings.model == EDITOR_MODEL:
        if ask_editor is None:
            raise ModelError(
                "The setting model is 'editor', but there is no editor with a model here;"
                " name a model."
            )
        return EditorModelClient(ask_editor)
    return MessagesApiClient(
        settings.model or DEFAULT_MODEL, base_url=settings.base_url, effort=settings.effort
    )


def open_judge(name: JudgeName, client: ModelClient) -> Judge:
    """The judge of that name; ``client`` is what it asks, if it asks anything."""
    # Imported late: most first answers need neither.
    if name == "packet":
        from explorer_core.judges.model_judges.packet import PacketJudge

        return PacketJudge(client)
    if name == "conversation":
        from explorer_core.judges.model_judges.conversation import ConversationJudge

        return ConversationJudge(client)
    return OfflineJudge()
