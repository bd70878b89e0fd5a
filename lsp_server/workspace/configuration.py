"""Loads settings from, strongest first: flags, environment, editor, workspace, user, defaults.

A repository must not be able to run code, redirect a model or widen what is read. So its own
`.sightline.toml` may only change the settings that `Settings` marks ``workspace_may_set``. It may
only lower limits on what a model may use, since the user pays.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_origin

import platformdirs
from pydantic import ValidationError
from pydantic.alias_generators import to_snake

from explorer_core.contracts import Diagnostic, Settings
from explorer_core.workspace.caches import workspace_folder_containing
from explorer_core.workspace.regular import read_regular
from lsp_server.refusals import first_mistake

_ENVIRONMENT_PREFIX = "SIGHTLINE_"
WORKSPACE_FILE = ".sightline.toml"
_ENVIRONMENT, _EDITOR = "environment", "the editor"
_FILE_LIMIT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings in force, and the problems found while loading them."""

    settings: Settings
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Layer:
    """The settings of one origin. A ``complete`` layer contains nothing but settings, so an unknown
    name in it is a mistake."""

    origin: str
    values: Mapping[str, Any]
    complete: bool = True
    trusted: bool = True


def load(
    folders: Sequence[str | Path] = (),
    *,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    editor: Mapping[str, Any] | None = None,
    user_file: Path | None = None,
) -> Configuration:
    """Merge all layers. An invalid value is ignored, with one message.

    ``folders`` are the workspace's roots, the first one strongest. Keys of ``editor`` may be
    camelCase or snake_case.
    """
    problems: list[Diagnostic] = []
    layers = [
        _Layer("flags", flags or {}),
        _Layer(_ENVIRONMENT, _from_environment(environment), complete=False),
        _Layer(_EDITOR, {to_snake(key): value for key, value in (editor or {}).items()}, False),
        *(_workspace_layer(Path(folder), problems) for folder in folders),
        _file_layer(user_file or _user_config_file(), problems),
    ]
    roots = [Path(folder).expanduser() for folder in folders]
    values_by_layer = [dict(_valid_values(layer, roots, problems)) for layer in layers]
    limits = Settings(**values_by_layer[-1])
    accepted: dict[str, Any] = {}
    for layer, values in zip(layers, values_by_layer, strict=True):
        if not layer.trusted:
            values = _within_limits(layer, values, limits, problems)
        accepted = {**values, **accepted}
    return Configuration(Settings(**accepted), tuple(problems))


def _user_config_file() -> Path:
    """The user's own settings file; it need not exist."""
    return platformdirs.user_config_path("sightline", appauthor=False) / "config.toml"


def environment_name(setting: str) -> str:
    """The environment variable of a setting."""
    return _ENVIRONMENT_PREFIX + setting.upper()


def workspace_may_set(setting: str) -> bool | Literal["lower"]:
    """Whether a repository's own file may change this setting, or only lower it."""
    extra = Settings.model_fields[setting].json_schema_extra
    return cast("dict[str, Any]", extra)["workspace_may_set"]


def _from_environment(environment: Mapping[str, str] | None) -> dict[str, str]:
    variables = os.environ if environment is None else environment
    return {
        name.removeprefix(_ENVIRONMENT_PREFIX).lower(): value
        for name, value in variables.items()
        if name.startswith(_ENVIRONMENT_PREFIX) and value
    }


def _workspace_layer(folder: Path, problems: list[Diagnostic]) -> _Layer:
    file = folder / WORKSPACE_FILE
    try:
        is_outside = file.is_symlink() and not _is_inside(file, folder)
    except OSError:
        return _Layer(WORKSPACE_FILE, {})  # opening the folder will report that it is unreadable
    if is_outside:
        problems.append(_problem(f"{WORKSPACE_FILE} points outside the workspace and is ignored."))
        return _Layer(WORKSPACE_FILE, {})
    return _Layer(WORKSPACE_FILE, _read_toml(file, WORKSPACE_FILE, problems), trusted=False)


def _file_layer(file: Path, problems: list[Diagnostic]) -> _Layer:
    return _Layer(str(file), _read_toml(file, str(file), problems))


def _is_inside(file: Path, folder: Path) -> bool:
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _read_toml(file: Path, label: str, problems: list[Diagnostic]) -> dict[str, Any]:
    try:
        if not os.path.lexists(file):  # nor where its folder cannot be entered
            return {}
        content = read_regular(os.path.realpath(file), _FILE_LIMIT_BYTES)
        return tomllib.loads(content.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        problems.append(_problem(f"{label} cannot be used and is ignored: {reason}."))
        return {}


def _valid_values(
    layer: _Layer, roots: Sequence[Path], problems: list[Diagnostic]
) -> Iterator[tuple[str, Any]]:
    refused = [
        name
        for name in layer.values
        if not layer.trusted and name in Settings.model_fields and not workspace_may_set(name)
    ]
    if refused:
        names = ", ".join(sorted(refused))
        problems.append(
            _problem(f"{layer.origin} may not set {names}; use your own configuration file.")
        )
    for name, value in layer.values.items():
        if name in refused:
            continue
        if name not in Settings.model_fields:
            problems.extend(_unknown_name_problems(name, layer))
            continue
        try:
            parsed = _parsed_value(name, value)
        except ValidationError as error:
            _, complaint = first_mistake(error)
            label = _setting_label(name, layer)
            problems.append(_problem(f"{label} is invalid and ignored: it {complaint}."))
            continue
        root = (
            workspace_folder_containing(parsed, roots) if name == "cache_dir" and parsed else None
        )
        if root is None:
            yield name, parsed
        else:
            message = f"{_setting_label(name, layer)} lies in the workspace {root} and is ignored"
            problems.append(_problem(f"{message}; choose a folder outside it."))


def _setting_label(name: str, layer: _Layer) -> str:
    if layer.origin == _ENVIRONMENT:
        return environment_name(name)
    return f"{name} from {layer.origin}"


def _within_limits(
    layer: _Layer, values: Mapping[str, Any], limits: Settings, problems: list[Diagnostic]
) -> dict[str, Any]:
    """The values without those that raise a setting which may only be lowered."""
    kept: dict[str, Any] = {}
    for name, value in values.items():
        limit = getattr(limits, name)
        if workspace_may_set(name) == "lower" and value > limit:
            message = f"{layer.origin} may only lower {name}, which is {limit}"
            problems.append(_problem(f"{message}; use your own configuration file."))
        else:
            kept[name] = value
    return kept


def _parsed_value(name: str, value: Any) -> Any:
    """The value as `Settings` stores it; for a list, a string is split at its commas."""
    if isinstance(value, str) and get_origin(Settings.model_fields[name].annotation) is tuple:
        value = [part.strip() for part in value.split(",") if part.strip()]
    return getattr(Settings.model_validate({name: value}), name)


def _unknown_name_problems(name: str, layer: _Layer) -> Iterator[Diagnostic]:
    """The problem with an unknown name, if any. Editors and environments also contain names of
    other programs, so there only a near miss is reported."""
    near = difflib.get_close_matches(name, Settings.model_fields, n=1, cutoff=0.8)
    if near:
        yield _problem(f"There is no setting {name} ({layer.origin}); did you mean {near[0]}?")
    elif layer.complete:
        yield _problem(f"There is no setting {name} ({layer.origin}); it is ignored.")


def _problem(message: str) -> Diagnostic:
    return Diagnostic(source="configuration", message=message)
