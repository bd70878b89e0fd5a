"""Takes a device's changes in and gives back everybody else's."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fieldkit.model import FIELDS, Change, Observation
from fieldkit.rules import check
from fieldkit.storage import Storage


@dataclass
class Answer:
    newest: int
    observations: list[Observation]
    conflicts: list[int] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def synchronise(storage: Storage, device: str, owner: str, since: int, changes: list[Change]) -> Answer:
    conflicts: list[int] = []
    refused: dict[str, str] = {}
    for change in changes:
        complaint = check(change)
        if complaint:
            refused[change.observation] = complaint
            continue
        conflict = _apply(storage, device, owner, change)
        if conflict is not None:
            conflicts.append(conflict)
    storage.touch_device(device)
    newest, observations = storage.changed_since(since)
    return Answer(newest, observations, conflicts, refused)


def _apply(storage: Storage, device: str, owner: str, change: Change) -> int | None:
    """Stores one change; the number of the conflict it opened, if it did."""
    current = storage.observation(change.observation)
    if current is None:
        known = {name: value for name, value in change.fields.items() if name in FIELDS}
        storage.save(Observation(id=change.observation, observer=owner, **known))
        storage.remember_fields(change.observation, 1, sorted(known))
        return None
    if change.base_version < current.version and _overlaps(storage, change):
        return storage.open_conflict(device, change)
    merged = replace(current, **change.fields, deleted=change.deleted, version=current.version + 1)
    storage.save(merged)
    storage.remember_fields(merged.id, merged.version, sorted(change.fields))
    return None


def _overlaps(storage: Storage, change: Change) -> bool:
    """Whether somebody else touched the same fields since the version this change started from."""
    touched = storage.fields_changed_after(change.observation, change.base_version)
    return change.deleted or bool(touched & change.fields.keys())
