#!/bin/bash
# `npm run demo:debian`: the demo portal with this engine behind it, in one command. New panels are real; Ctrl-C ends both,
# and host/purge.sh --yes removes what was made.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.sh"
cd "$here/../../.."
export PATH="$PWD/node_modules/.bin:$PATH"
: "${ENGINE_PORT:=4200}" "${CONSOLE_PORT:=4201}" "${PORTAL_PORT:=${PORT:-3000}}"
export CONSOLE_PORT ENGINE_ALLOWED_HOSTS=127.0.0.1

"$here/up.sh"
children=()
trap 'kill "${children[@]}" 2>/dev/null; wait' EXIT
PORT=$PORTAL_PORT node --max-semi-space-size=16 --heap-growing-percent=100 api/start.mjs &
children+=($!)
# The people of the demo have panels of the simulated engine, so this one is registered when they are there.
until curl -fsS -m 2 -o /dev/null "http://127.0.0.1:$PORTAL_PORT/readyz" 2>/dev/null; do
  kill -0 "${children[0]}" || exit 1
  sleep 1
done

secret=$ENGINE_DIR/secret
if [ ! -s "$secret" ]; then
  said=$(npm run --silent engine:add -- --name Debian --code debian --url "http://127.0.0.1:$ENGINE_PORT" --default)
  (umask 077 && grep -o 'whsec_[^ ]*' <<<"$said" >"$secret")
fi
ENGINE_SECRETS=$(cat "$secret") PORT=$ENGINE_PORT PORTAL_URL=http://127.0.0.1:$PORTAL_PORT node engines/debian/main.ts &
children+=($!)
node engines/debian/console.ts &
children+=($!)

# The plans of the demo that web servers and clusters stand for are made here from now on.
plans=$(mktemp)
npm run --silent plans -- export | node -e '
  const file = JSON.parse(require("node:fs").readFileSync(0, "utf8"))
  const ours = { start: "small", "web-3": "large", "cluster-4": "large" }
  for (const plan of file.plans)
    if (ours[plan.code]) plan.engines = [{ engine: "debian", plan: ours[plan.code], regions: [] }]
  console.log(JSON.stringify(file))' >"$plans"
npm run --silent plans -- import "$plans" --apply
rm -f "$plans"
echo "The demo creates real panels now: http://127.0.0.1:$PORTAL_PORT"
wait -n
