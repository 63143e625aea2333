#!/bin/bash
# Writes the units of a machine with systemd: PowerDNS of the engine, the engine, and its page as a user of its own.
# ENGINE_SECRETS, PORTAL_URL and the like stand in /etc/portico-engine.env.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.sh"
root=$(cd "$here/../../.." && pwd)
units=/etc/systemd/system
node=$root/node_modules/.bin/node
[ -x "$node" ] || node=$(command -v node)
[ -e /etc/portico-engine.env ] || install -m 600 /dev/null /etc/portico-engine.env
id -u portico-console >/dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin portico-console

cat >$units/portico-pdns.service <<UNIT
[Unit]
Description=PowerDNS of the Portico engine
After=network.target
[Service]
ExecStart=/usr/sbin/pdns_server --config-dir=$ENGINE_DIR/pdns
Restart=always
RestartSec=1
[Install]
WantedBy=multi-user.target
UNIT

cat >$units/portico-engine.service <<UNIT
[Unit]
Description=Portico engine
After=lxd.service portico-pdns.service
Wants=lxd.service portico-pdns.service
[Service]
EnvironmentFile=/etc/portico-engine.env
Environment=ENGINE_DIR=$ENGINE_DIR LXD_DIR=$LXD_DIR POOL=$POOL IMAGE=$IMAGE PDNS_PORT=$PDNS_PORT
ExecStartPre=$here/firewall.sh
ExecStart=$node $root/engines/debian/main.ts
# The page opens the socket by its group, and nothing else.
Group=portico-console
Restart=always
RestartSec=1
[Install]
WantedBy=multi-user.target
UNIT

cat >$units/portico-console.service <<UNIT
[Unit]
Description=Page of the Portico engine
After=portico-engine.service
[Service]
EnvironmentFile=-/etc/portico-console.env
Environment=ENGINE_DIR=$ENGINE_DIR LXD_ADDRESS=$LXD_ADDRESS
ExecStart=$node $root/engines/debian/console.ts
User=portico-console
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
CapabilityBoundingSet=
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
MemoryMax=512M
Restart=always
RestartSec=1
[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload
systemctl enable --quiet portico-pdns portico-engine portico-console
