#!/bin/bash
# The image of new servers: a small Debian, made here because LXD's public server of images is closed to it.
# image-debian.sh FILE
set -euo pipefail
command -v debootstrap >/dev/null || { echo 'debootstrap is missing: apt-get install debootstrap' >&2; exit 3; }
: "${SUITE:=bookworm}" "${MIRROR:=http://deb.debian.org/debian}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/rootfs
debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,ifupdown,isc-dhcp-client,iproute2,ca-certificates,openssh-client,vim-tiny \
  "$SUITE" "$root" "$MIRROR" >&2
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
printf 'auto lo\niface lo inet loopback\nauto eth0\niface eth0 inet dhcp\n' >"$root/etc/network/interfaces"
: >"$root/etc/machine-id"
rm -f "$root"/etc/hostname "$root"/etc/ssh/ssh_host_*
cat >"$work/metadata.yaml" <<YAML
architecture: $(uname -m)
creation_date: $(date +%s)
properties: { description: Debian $SUITE, os: debian, release: $SUITE }
YAML
tar -C "$work" --numeric-owner -czf "$1" metadata.yaml rootfs
