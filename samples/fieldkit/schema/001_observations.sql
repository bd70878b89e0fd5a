CREATE TABLE devices (
    id         TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    key_hash   TEXT NOT NULL,
    last_seen  TEXT
);

CREATE TABLE observations (
    id         TEXT PRIMARY KEY,
    species    TEXT NOT NULL,
    count      INTEGER NOT NULL DEFAULT 1 CHECK (count > 0),
    latitude   REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
    longitude  REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
    note       TEXT NOT NULL DEFAULT '',
    observer   TEXT NOT NULL,
    version    INTEGER NOT NULL DEFAULT 1,
    deleted    INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX observations_by_species ON observations (species) WHERE deleted = 0;

CREATE TABLE conflicts (
    id          INTEGER PRIMARY KEY,
    observation TEXT NOT NULL REFERENCES observations(id),
    device      TEXT NOT NULL REFERENCES devices(id),
    theirs      TEXT NOT NULL,
    opened_at   TEXT NOT NULL DEFAULT (datetime('now')),
    resolved_by TEXT
);

CREATE TABLE tracks (
    id      TEXT PRIMARY KEY,
    device  TEXT NOT NULL REFERENCES devices(id),
    encoded TEXT NOT NULL,
    metres  REAL NOT NULL
);
