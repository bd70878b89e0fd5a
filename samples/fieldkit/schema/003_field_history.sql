-- Which fields each version touched: what lets two edits of different fields be merged.
CREATE TABLE field_history (
    observation TEXT NOT NULL,
    version     INTEGER NOT NULL,
    fields      TEXT NOT NULL,
    PRIMARY KEY (observation, version)
);
