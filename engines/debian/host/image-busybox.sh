#!/bin/bash
# The smallest image there is: busybox alone, one megabyte, for checks. image-busybox.sh FILE
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/rootfs
mkdir -p "$root"/{bin,sbin,etc/init.d,proc,sys,dev,run,tmp,root,usr/bin,usr/sbin,usr/share/udhcpc,www}
cp "$(command -v busybox)" "$root/bin/busybox"
for applet in $(busybox --list-full); do
  mkdir -p "$root/$(dirname "$applet")"
  [ -e "$root/$applet" ] || ln -s /bin/busybox "$root/$applet"
done
rm -f "$root/sbin/init"
# LXD asks for a stop by SIGPWR; an init that ignores it would take the whole grace each time.
cat >"$root/sbin/init" <<'INIT'
#!/bin/sh
trap 'kill -TERM -1 2>/dev/null; exit 0' PWR INT TERM
ip link set lo up
[ -e /sys/class/net/eth0 ] && ip link set eth0 up && udhcpc -i eth0 -b -t 5 -T 1 -s /usr/share/udhcpc/default.script >/dev/null 2>&1 &
httpd -p 80 -h /www
while :; do sleep 3600 & wait $!; done
INIT
cat >"$root/usr/share/udhcpc/default.script" <<'LEASE'
#!/bin/sh
case $1 in bound | renew)
  ip addr flush dev "$interface"
  ip addr add "$ip/${mask:-24}" dev "$interface"
  ip route add default via "$router"
  echo "nameserver $dns" >/etc/resolv.conf
  ;;
esac
LEASE
chmod 755 "$root/sbin/init" "$root/usr/share/udhcpc/default.script"
echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
echo 'root:x:0:' >"$root/etc/group"
echo 'It works.' >"$root/www/index.html"
cat >"$work/metadata.yaml" <<YAML
architecture: $(uname -m)
creation_date: 1
properties: { description: busybox, os: busybox }
YAML
tar -C "$work" --numeric-owner --owner=0 --group=0 -czf "$1" metadata.yaml rootfs
