#!/bin/bash
# Brings the real daemons up under a temporary folder, runs a command, and removes everything: try.sh COMMAND…
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit 1
export PATH="$PWD/node_modules/.bin:$PATH"
. engines/debian/host/scratch.sh
trap purge EXIT
trap 'exit 1' INT TERM
timeout 300 engines/debian/host/up.sh >"$scratch/up.log" 2>&1 || { tail -n 5 "$scratch/up.log" >&2; exit 4; }
"$@"
