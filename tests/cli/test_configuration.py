"""Where settings come from, and what happens to invalid ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import Settings
from lsp_server.workspace.configuration import (
    Configuration,
    environment_name,
    load,
    workspace_may_set,
)
from tests.odd_files import OddFile, needs_pipes, odd_files

LAYERS = ("user", "workspace", "editor", "environment", "flags")
"""Weakest first."""


def configure(folder: Path, **layers: Any) -> Configuration:
    """Load a configuration of layers: ``user`` and ``workspace`` are TOML, the others mappings."""
    folder.mkdir(exist_ok=True)
    user_file = folder / "user.toml"
    for file, name in ((user_file, "user"), (folder / ".sightline.toml", "workspace")):
        if name in layers:
            file.write_text(layers[name], encoding="utf-8")
    return load(
        [folder],
        flags=layers.get("flags"),
        environment=layers.get("environment", {}),
        editor=layers.get("editor"),
        user_file=user_file,
    )


def test_no_layers_give_the_default_settings(tmp_path: Path):
    loaded = configure(tmp_path)
    assert loaded.settings == Settings()
    assert loaded.diagnostics == ()


@pytest.mark.parametrize("strongest", range(1, len(LAYERS) + 1))
def test_the_strongest_layer_wins(tmp_path: Path, strongest: int):
    forms = {
        "user": "grep_matches = {}",
        "workspace": "grep_matches = {}",
        "editor": lambda value: {"grepMatches": value},
        "environment": lambda value: {"SIGHTLINE_GREP_MATCHES": str(value)},
        "flags": lambda value: {"grep_matches": str(value)},
    }
    layers: dict[str, Any] = {}
    for value, name in enumerate(LAYERS[:strongest], 1):
        form = forms[name]
        layers[name] = form.format(value) if isinstance(form, str) else form(value)
    assert configure(tmp_path, **layers).settings.grep_matches == strongest


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ({"flags": {"grep_matches": "many"}}, "ignored: it must be a whole number."),
        ({"environment": {"SIGHTLINE_REPORT_CHARS": "3"}}, "SIGHTLINE_REPORT_CHARS is invalid"),
        ({"editor": {"judge": "oracle"}}, "judge from the editor is invalid"),
        ({"workspace": "grep_matches = 0"}, "grep_matches from .sightline.toml is invalid"),
        ({"workspace": "grep_matches = = 1"}, ".sightline.toml cannot be used and is ignored"),
        ({"workspace": "\0"}, ".sightline.toml cannot be used and is ignored"),
        ({"user": "grep_match = 1"}, "There is no setting grep_match ("),
        ({"environment": {"SIGHTLINE_JUDGGE": "x"}}, "did you mean judge?"),
        ({"flags": {"colour": "red"}}, "There is no setting colour (flags)"),
    ],
)
def test_invalid_value_is_ignored_with_one_message(
    tmp_path: Path, layers: dict[str, Any], message: str
):
    loaded = configure(tmp_path, **layers)
    assert loaded.settings == Settings()
    (problem,) = loaded.diagnostics
    assert message in problem.message
    assert "\n" not in problem.message


def test_invalid_value_leaves_the_next_layer_in_force(tmp_path: Path):
    loaded = configure(tmp_path, user="grep_matches = 7", editor={"grepMatches": "x"})
    assert loaded.settings.grep_matches == 7
    assert len(loaded.diagnostics) == 1


def test_unrelated_editor_and_environment_names_are_ignored(tmp_path: Path):
    loaded = configure(
        tmp_path, editor={"ui": {"x": 1}}, environment={"SIGHTLINE_DEBUG": "1", "PATH": "/"}
    )
    assert loaded.diagnostics == ()


def test_workspace_cannot_set_closed_settings(tmp_path: Path):
    closed = {name for name in Settings.model_fields if not workspace_may_set(name)}
    lines = [f'{name} = "x"' for name in sorted(closed)]
    loaded = configure(tmp_path, workspace="\n".join([*lines, "grep_matches = 5"]))
    assert loaded.settings == Settings(grep_matches=5)
    (problem,) = loaded.diagnostics
    assert all(name in problem.message for name in closed)


def test_sensitive_settings_are_closed_to_workspaces():
    """States the rule by name: none of these settings may ever come from a repository."""
    for name in (
        "judge",
        "model",
        "base_url",
        "cache_dir",
        "secret_globs",
        "file_size_limit_bytes",
    ):
        assert not workspace_may_set(name)


@pytest.mark.parametrize(
    ("relative", "is_used"),
    [("", False), ("cache", False), ("../cache", True), ("../cache-of-work", True), ("..", True)],
)
def test_cache_folder_inside_the_workspace_is_ignored(tmp_path: Path, relative: str, is_used: bool):
    folder = tmp_path / "cache-of"
    cache_dir = str((folder / relative).resolve())
    loaded = configure(folder, environment={"SIGHTLINE_CACHE_DIR": cache_dir})
    assert loaded.settings.cache_dir == (cache_dir if is_used else None)
    assert [problem.message for problem in loaded.diagnostics] == (
        []
        if is_used
        else [
            f"SIGHTLINE_CACHE_DIR lies in the workspace {folder} and is ignored; choose a folder"
            " outside it."
        ]
    )


def test_workspace_around_the_user_cache_may_contain_another_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: tmp_path / "own")
    cache_dir = str(tmp_path / "cache")
    loaded = configure(tmp_path, environment={"SIGHTLINE_CACHE_DIR": cache_dir})
    assert (loaded.settings.cache_dir, loaded.diagnostics) == (cache_dir, ())


NUMBERS = [
    name for name in Settings.model_fields if type(getattr(Settings(), name)) in (int, float)
]


@pytest.mark.parametrize("name", [*NUMBERS, "index_workers"])
@pytest.mark.parametrize("value", ["inf", "1e300", "1000000000"])
def test_excessive_number_is_ignored_in_every_layer(tmp_path: Path, name: str, value: str):
    """Limits hold for every layer; otherwise a repository could make every question wait."""
    loaded = configure(tmp_path, environment={environment_name(name): value})
    assert loaded.settings == Settings()
    (problem,) = loaded.diagnostics
    assert environment_name(name) in problem.message


def test_workspace_cannot_set_waits_longer_than_a_minute(tmp_path: Path):
    minute = {"_s": 60, "_ms": 60_000}
    for name in NUMBERS:
        longest = minute.get(f"_{name.rpartition('_')[2]}")
        if longest is not None and workspace_may_set(name) is True:
            text = f"{name} = {longest}\n"
            assert getattr(configure(tmp_path, workspace=text).settings, name) == longest
            loaded = configure(tmp_path, workspace=f"{name} = {longest + 1}\n")
            assert loaded.settings == Settings()


LOWERED = [name for name in Settings.model_fields if workspace_may_set(name) == "lower"]


@pytest.mark.parametrize("name", LOWERED)
def test_workspace_cannot_raise_what_a_model_costs(tmp_path: Path, name: str):
    default = getattr(Settings(), name)
    lower = type(default)(default * 0.75)

    def effective_value(folder: str, workspace: float, user: str = "") -> float:
        loaded = configure(tmp_path / folder, workspace=f"{name} = {workspace}", user=user)
        return getattr(loaded.settings, name)

    assert effective_value("raised", default + 1) == default
    assert effective_value("lowered", lower) == lower
    assert effective_value("above what the user set", default, f"{name} = {lower}") == lower


def test_workspace_that_raises_a_budget_gets_one_message(tmp_path: Path):
    loaded = configure(tmp_path, workspace="conversation_steps = 100")
    assert loaded.settings == Settings()
    (problem,) = loaded.diagnostics
    assert "may only lower conversation_steps, which is 12;" in problem.message


def test_user_and_flags_may_raise_budgets(tmp_path: Path):
    flags, user = {"conversation_steps": "40"}, "observation_chars = 90000"
    loaded = configure(tmp_path, flags=flags, user=user, workspace="observation_chars = 80000")
    settings = loaded.settings
    assert (settings.conversation_steps, settings.observation_chars) == (40, 80_000)


def test_every_budget_of_a_model_can_only_be_lowered():
    for name in Settings.model_fields:
        if name.startswith(("conversation_", "observation_", "packet_", "reconsider_")):
            assert workspace_may_set(name) == "lower"


def test_workspace_settings_linked_from_outside_are_ignored(tmp_path: Path):
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_text("grep_matches = 5", encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / ".sightline.toml").symlink_to(elsewhere)
    loaded = configure(folder)
    assert loaded.settings == Settings()
    assert "points outside the workspace" in loaded.diagnostics[0].message


@needs_pipes
@odd_files
@pytest.mark.parametrize("name", [".sightline.toml", "user.toml"])
def test_irregular_settings_file_is_ignored_with_one_message(
    tmp_path: Path, odd: OddFile, name: str
):
    odd(tmp_path / name, "grep_matches = 5")
    loaded = configure(tmp_path)
    assert loaded.settings == Settings()
    (problem,) = loaded.diagnostics
    assert "ignored" in problem.message


def test_settings_file_linked_within_the_workspace_is_read(tmp_path: Path):
    (tmp_path / "there.toml").write_text("grep_matches = 5", encoding="utf-8")
    (tmp_path / ".sightline.toml").symlink_to("there.toml")
    assert configure(tmp_path).settings.grep_matches == 5


def test_text_is_split_into_a_list_at_commas(tmp_path: Path):
    globs = "**/*.pem, **/secret"
    name = environment_name("secret_globs")
    loaded = configure(tmp_path, environment={name: globs})
    assert loaded.settings.secret_globs == ("**/*.pem", "**/secret")


texts = st.text("ab1,\n\0🧺", max_size=5)


@given(
    st.dictionaries(
        st.sampled_from([*Settings.model_fields, "unknown", "x-y", ""]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | texts,
            lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
            max_leaves=4,
        ),
    )
)
def test_arbitrary_editor_settings_are_survived(values: dict[str, Any]):
    loaded = load(editor=values, environment={}, user_file=Path("/nowhere/config.toml"))
    assert Settings.model_validate(loaded.settings.model_dump()) == loaded.settings
    assert all("\n" not in problem.message for problem in loaded.diagnostics)
