#!/bin/bash
# Removes all that up.sh brought up, and every panel with it: `purge.sh --yes`. It works on a machine whose LXD no longer
# answers: what runs below LXD_DIR is ended, what is mounted there is unmounted.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.sh"
[ "${1:-}" = --yes ] || { echo 'This deletes all panels. Say --yes.' >&2; exit 2; }
case $LXD_DIR in /*/*) ;; *) echo "LXD_DIR ($LXD_DIR) is no folder of its own." >&2; exit 2 ;; esac

# The processes below a folder: its daemons, and the monitors of its servers.
below() { grep -lzE -- "(^|[ =])$1(/|$)" /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3 | grep -vx "$$"; }
end_below() {
  local ids
  for _ in 1 2 3 4 5; do
    ids=$(below "$1")
    [ -z "$ids" ] && return
    # shellcheck disable=SC2086
    kill -KILL $ids 2>/dev/null
    sleep 0.2
  done
}

if timeout 10 lxc query /1.0 >/dev/null 2>&1; then
  for project in $(timeout 20 lxc project list --format csv | cut -d, -f1 | sed 's/ (current)//'); do
    for server in $(timeout 20 lxc list --project "$project" --format csv --columns n); do
      timeout 30 lxc delete --force --project "$project" "$server"
    done
    printf 'config: {}\ndevices: {}\n' | timeout 10 lxc profile edit default --project "$project"
    [ "$project" = default ] || timeout 10 lxc project delete "$project"
  done
  for network in $(timeout 10 lxc network list --format csv | cut -d, -f1 | grep "^$BRIDGES"); do
    timeout 20 lxc network delete "$network"
  done
  timeout 10 lxc image delete "$IMAGE"
  timeout 30 lxc storage delete "$POOL"
fi >/dev/null 2>&1

if [ -d /run/systemd/system ] && [ "$LXD_DIR" = /var/lib/lxd ]; then
  systemctl disable --now portico-engine portico-console portico-pdns lxd lxd.socket 2>/dev/null
  rm -f /etc/systemd/system/portico-{engine,console,pdns}.service
fi
for pid in "$ENGINE_DIR/lxd.pid" "$ENGINE_DIR/pdns/pid"; do
  [ -s "$pid" ] && kill -KILL "$(cat "$pid")" 2>/dev/null
done
end_below "$LXD_DIR"
if [ -s "$ENGINE_DIR/lxcfs.pid" ] && kill "$(cat "$ENGINE_DIR/lxcfs.pid")" 2>/dev/null; then umount -l /var/lib/lxcfs 2>/dev/null; fi

for link in $(ip -o link show type bridge 2>/dev/null | sed 's/^[0-9]*: //; s/[:@].*//' | grep "^$BRIDGES"); do
  ip link del "$link" 2>/dev/null
done
nft delete table inet "$TABLE" 2>/dev/null
# The innermost mount first.
awk -v at="$LXD_DIR/" 'index($2, at) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mount; do umount -l "$mount"; done
for device in $(losetup --noheadings --output NAME,BACK-FILE 2>/dev/null | awk -v at="$LXD_DIR/" 'index($2, at) == 1 { print $1 }'); do
  losetup -d "$device"
done
rm -rf "$LXD_DIR" "$ENGINE_DIR"
[ ! -e "$LXD_DIR" ] && [ ! -e "$ENGINE_DIR" ]
