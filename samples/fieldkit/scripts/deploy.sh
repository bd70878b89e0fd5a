#!/bin/sh
# Usage: deploy.sh HOST. Stops before anything is replaced if the checks fail.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
host=${1:?host missing}
release=$(date -u +%Y%m%d%H%M%S)

check() {
    (cd "$here/server" && python3 -m pytest -q)
    (cd "$here/tracker" && cargo test --quiet)
}

upload() {
    ssh "$host" mkdir -p "/srv/fieldkit/$release"
    tar -C "$here" -czf - server schema scripts | ssh "$host" tar -C "/srv/fieldkit/$release" -xzf -
}

migrate() {
    ssh "$host" "/srv/fieldkit/$release/scripts/migrate.sh" /srv/fieldkit/data.sqlite
}

switch() {
    ssh "$host" "ln -sfn /srv/fieldkit/$release /srv/fieldkit/current && systemctl restart fieldkit"
}

check
"$here/scripts/backup.sh" "$host"
upload
migrate
switch
