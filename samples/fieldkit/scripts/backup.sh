#!/bin/sh
# Takes a consistent copy while the server runs and keeps the last fourteen.
set -eu

host=${1:?host missing}
target="/srv/fieldkit/backups/$(date -u +%Y%m%d%H%M%S).sqlite"

ssh "$host" "sqlite3 /srv/fieldkit/data.sqlite \".backup '$target'\" && gzip '$target'"
ssh "$host" "ls -1t /srv/fieldkit/backups/*.gz | tail -n +15 | xargs -r rm --"
