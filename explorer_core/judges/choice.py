"""Which judge answers a request. A model is used only where the user chose one."""

from __future__ import annotations

from explorer_core.contracts import ExploreRequest, JudgeName, Settings
from explorer_core.judges.base import Judge
from explorer_core.judges.models.editor import AskEditor, EditorModelClient
from explorer_core.judges.models.messages_api import MessagesApiClient
from explorer_core.judges.models.model import ModelClient, ModelError
from explorer_core.judges.offline.offline import OfflineJudge

DEFAULT_MODEL = "claude-haiku-5-5"
"""The current small model in the SDK's list, used if a judge is chosen but no model."""
EDITOR_MODEL = "editor"
"""The value of the setting ``model`` that stands for the model of the user's editor."""


def chosen_judge(request: ExploreRequest, settings: Settings) -> JudgeName:
    """The request's judge, else that of the settings; ``auto`` is a conversation if a model is
    set, else offline."""
    chosen = request.judge if request.judge != "auto" else settings.judge
    if chosen != "auto":
        return chosen
    return "conversation" if settings.model else "offline"


def asked_model(settings: Settings) -> str | None:
    """The model that questions go to with these settings; None if they use no model."""
    if chosen_judge(ExploreRequest(query="?"), settings) == "offline":
        return None
    return settings.model or DEFAULT_MODEL


def open_client(settings: Settings, ask_editor: AskEditor | None = None) -> ModelClient:
    """A client for the model in the settings; raises ModelError if that cannot be asked."""
    if settings.model == EDITOR_MODEL:
        if ask_editor is None:
            raise ModelError(
                "The setting model is 'editor', but there is no editor with a model here;"
                " name another model."
            )
        return EditorModelClient(ask_editor)
    return MessagesApiClient(
        settings.model or DEFAULT_MODEL, base_url=settings.base_url, effort=settings.effort
    )


def open_judge(name: JudgeName, client: ModelClient) -> Judge:
    """The judge of this name; ``client`` is its model, if it uses one."""
    # Imported late: most first answers need neither.
    if name == "packet":
        from explorer_core.judges.model_judges.packet import PacketJudge

        return PacketJudge(client)
    if name == "conversation":
        from explorer_core.judges.model_judges.conversation import ConversationJudge

        return ConversationJudge(client)
    return OfflineJudge()
