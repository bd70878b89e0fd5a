#!/bin/sh
# Applies the schema files that the database has not seen, in order, each in a transaction.
set -eu

database=${1:?database missing}
folder=$(cd "$(dirname "$0")/../schema" && pwd)

sqlite3 "$database" "CREATE TABLE IF NOT EXISTS applied (name TEXT PRIMARY KEY)"
for file in "$folder"/*.sql; do
    name=$(basename "$file")
    if [ -z "$(sqlite3 "$database" "SELECT name FROM applied WHERE name = '$name'")" ]; then
        { echo "BEGIN;"; cat "$file"; echo "INSERT INTO applied VALUES ('$name'); COMMIT;"; } | sqlite3 -bail "$database"
        echo "applied $name"
    fi
done
