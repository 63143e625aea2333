#!/bin/bash
# Keeps panels apart: as LXD makes bridges, each reaches all others and every port of the host.
# One set of rules holds for all bridges by their names, so that a new panel is shut in before it has a server.
set -euo pipefail
. "$(cd "$(dirname "$0")" && pwd)/settings.sh"
nft list table inet "$TABLE" >/dev/null 2>&1 && exit 0
nft -f - <<RULES
table inet $TABLE {
  # What left each bridge; the engine reads the counters.
  set left { type ifname; size 65535; flags dynamic; counter; }
  chain forward {
    type filter hook forward priority -5; policy accept;
    iifname != "$BRIDGES*" accept
    # The servers of one panel reach each other: a kernel that shows bridged packets here sees them on their own bridge.
    fib daddr . iif oif exists accept
    oifname "$BRIDGES*" drop
    ct state established,related update @left { iifname } accept
    ip daddr { 0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16, 224.0.0.0/4 } drop
    ip6 daddr { ::1, fc00::/7, fe80::/10, ff00::/8 } drop
    update @left { iifname }
  }
  chain input {
    type filter hook input priority -5; policy accept;
    iifname != "$BRIDGES*" accept
    ct state established,related accept
    # Of the addresses of the host only the one of its own bridge, or a panel would ask the name server of another.
    fib daddr . iif type { local, broadcast } udp dport { 53, 67 } accept
    fib daddr . iif type local tcp dport 53 accept
    fib daddr . iif type local icmp type echo-request accept
    drop
  }
}
RULES
