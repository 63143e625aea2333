#!/bin/bash
# PowerDNS with SQLite: zones of panels, and an API on loopback.
set -euo pipefail
. "$(cd "$(dirname "$0")" && pwd)/settings.sh"
dir=$ENGINE_DIR/pdns
mkdir -p "$dir"
[ -s "$dir/key" ] || head -c 24 /dev/urandom | base64 | tr -dc 'A-Za-z0-9' >"$dir/key"
chmod 600 "$dir/key"
if [ ! -s "$dir/zones.sqlite" ]; then
  sqlite3 "$dir/zones.sqlite" <"/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql"
  sqlite3 "$dir/zones.sqlite" 'pragma journal_mode=wal' >/dev/null
fi
# Root at first, and pdns afterwards where that user is.
user=$(id -un pdns 2>/dev/null || echo root)
chown -R "$user" "$dir"
chmod 711 "$ENGINE_DIR"
cat >"$dir/pdns.conf" <<CONF
launch=gsqlite3
gsqlite3-database=$dir/zones.sqlite
gsqlite3-dnssec=yes
gsqlite3-pragma-synchronous=1
local-address=$DNS_ADDRESS
local-port=$DNS_PORT
api=yes
api-key=$(cat "$dir/key")
webserver=yes
webserver-address=127.0.0.1
webserver-port=$PDNS_PORT
webserver-allow-from=127.0.0.1
socket-dir=$dir
setuid=$user
enable-lua-records=no
expand-alias=no
daemon=no
guardian=no
write-pid=no
CONF
chmod 600 "$dir/pdns.conf"
answers() { curl -fsS -m 2 -o /dev/null -H "x-api-key: $(cat "$dir/key")" "http://127.0.0.1:$PDNS_PORT/api/v1/servers/localhost" 2>/dev/null; }
answers && exit 0
if [ -d /run/systemd/system ] && [ "$LXD_DIR" = /var/lib/lxd ]; then
  systemctl restart portico-pdns
else
  setsid pdns_server --config-dir="$dir" >"$dir/log" 2>&1 </dev/null &
  echo $! >"$dir/pid"
fi
for _ in $(seq 100); do answers && exit 0; sleep 0.1; done
tail -5 "$dir/log" >&2
exit 4
