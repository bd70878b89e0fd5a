from pathlib import Path

import pytest

from fieldkit.model import Change
from fieldkit.storage import Storage
from fieldkit.sync import synchronise

SCHEMA = Path(__file__).parents[2] / "schema"
HERON = {"species": "heron", "latitude": 52.5, "longitude": 13.4}


@pytest.fixture
def storage():
    storage = Storage(":memory:")
    for file in sorted(SCHEMA.glob("*.sql")):
        storage.connection.executescript(file.read_text())
    storage.connection.execute("INSERT INTO devices VALUES ('a', 'ada', '', NULL), ('b', 'bob', '', NULL)")
    return storage


def send(storage, device, base, **fields):
    return synchronise(storage, device, device, 0, [Change("o1", base, fields)])


def test_edits_of_different_fields_are_merged(storage):
    send(storage, "a", 0, **HERON)
    send(storage, "a", 1, note="near the bridge")
    assert send(storage, "b", 1, count=3).conflicts == []
    merged = storage.observation("o1")
    assert (merged.note, merged.count, merged.version) == ("near the bridge", 3, 3)


def test_edits_of_the_same_field_wait_for_a_person(storage):
    send(storage, "a", 0, **HERON)
    send(storage, "a", 1, count=2)
    assert len(send(storage, "b", 1, count=3).conflicts) == 1
    assert storage.observation("o1").count == 2


def test_nonsense_is_refused(storage):
    assert "planet" in send(storage, "a", 0, **{**HERON, "latitude": 99}).refused["o1"]
