#!/bin/bash
# Brings up what the engine stands on: LXD with a btrfs pool and our image, PowerDNS with SQLite, and the firewall.
# May be run again at any time. Under systemd it writes units; elsewhere it starts the daemons itself.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.sh"

need() { command -v "$1" >/dev/null || { echo "$1 is missing: apt-get install --no-install-recommends $2" >&2; exit 3; }; }
need lxd lxd
need lxc lxd-client
need pdns_server 'pdns-server pdns-backend-sqlite3'
need sqlite3 sqlite3
need nft nftables
need mkfs.btrfs btrfs-progs
need dnsmasq dnsmasq-base
[ "$(id -u)" = 0 ] || { echo 'This needs root, as the socket of LXD does.' >&2; exit 3; }

mkdir -p "$LXD_DIR" "$ENGINE_DIR"
chmod 711 "$LXD_DIR"
chmod 700 "$ENGINE_DIR"

# Each server has 65,536 user ids of its own; the ranges that Debian gives to root end at 152 servers.
grep -q '^root:' /etc/subuid || echo "root:100000:$SUBIDS" >>/etc/subuid
grep -q '^root:' /etc/subgid || echo "root:100000:$SUBIDS" >>/etc/subgid

with_systemd() { [ -d /run/systemd/system ] && [ "$LXD_DIR" = /var/lib/lxd ]; }

start_lxd() {
  if timeout 10 lxc query /1.0 >/dev/null 2>&1; then return; fi
  if with_systemd; then systemctl start lxcfs lxd.socket lxd || true; else
    # lxcfs comes first: a server that starts without it sees the memory of the host.
    if [ ! -e /var/lib/lxcfs/proc ] && [ -e /dev/fuse ] && command -v lxcfs >/dev/null; then
      mkdir -p /var/lib/lxcfs
      setsid lxcfs --pidfile="$ENGINE_DIR/lxcfs.pid" /var/lib/lxcfs >"$ENGINE_DIR/lxcfs.log" 2>&1 </dev/null &
      for _ in $(seq 30); do [ -e /var/lib/lxcfs/proc/meminfo ] && break; sleep 0.1; done
    fi
    # What an LXD had forked when it was killed may be left, stopped: it holds the socket, and a new one waits for it for ever.
    pkill -KILL -f "^lxd --group root --logfile $ENGINE_DIR/lxd.log" || true
    setsid lxd --group root --logfile "$ENGINE_DIR/lxd.log" >"$ENGINE_DIR/lxd.out" 2>&1 </dev/null &
    echo $! >"$ENGINE_DIR/lxd.pid"
  fi
  timeout 60 lxd waitready --timeout 50 || { tail -5 "$ENGINE_DIR"/lxd.{log,out} >&2; exit 4; }
}

make_pool() {
  if ! lxc storage show "$POOL" >/dev/null 2>&1; then
    if [ -n "$POOL_DISK" ]; then lxc storage create "$POOL" btrfs source="$POOL_DISK"; else
      lxc storage create "$POOL" btrfs size="${POOL_GB}GiB"; fi
  fi
  lxc config set core.https_address "$LXD_ADDRESS"
}

make_image() {
  lxc image alias list --format csv | grep -q "^$IMAGE," && return
  local made
  made=$(mktemp -d)
  "$here/image-$IMAGE.sh" "$made/image.tar.gz"
  lxc image import "$made/image.tar.gz" --alias "$IMAGE" >/dev/null
  rm -rf "$made"
}

start_lxd
make_pool
make_image
"$here/firewall.sh"
if with_systemd; then "$here/units.sh"; fi
"$here/dns.sh"
echo "LXD ($LXD_DIR), PowerDNS (API on 127.0.0.1:$PDNS_PORT) and the firewall are up."
