-- Every change gets a number that only grows; a device remembers the last one it has seen.
CREATE TABLE change_log (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    observation TEXT NOT NULL,
    version     INTEGER NOT NULL
);

CREATE TRIGGER log_insert AFTER INSERT ON observations
BEGIN
    INSERT INTO change_log (observation, version) VALUES (NEW.id, NEW.version);
END;

CREATE TRIGGER log_update AFTER UPDATE ON observations WHEN NEW.version > OLD.version
BEGIN
    INSERT INTO change_log (observation, version) VALUES (NEW.id, NEW.version);
END;

CREATE VIEW open_conflicts AS
    SELECT conflicts.*, observations.species, observations.observer
    FROM conflicts JOIN observations ON observations.id = conflicts.observation
    WHERE conflicts.resolved_by IS NULL;
