# Sourced by what tries the real daemons: names, ports and folders of a host of its own beside any other, and `purge`, which
# removes it all.
scratch=$(mktemp -d /tmp/portico-engine-XXXXXX)
# PowerDNS gives up being root, and has to reach its folder.
chmod 711 "$scratch"
free_port() { node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'; }
# Two of these on one machine would take each other's bridges for what a crash left.
BRIDGES=q$(tr -dc a-z </dev/urandom | head -c 3)
export LXD_DIR=$scratch/lxd ENGINE_DIR=$scratch/engine POOL=check POOL_GB=${POOL_GB:-8} IMAGE=${IMAGE:-busybox}
export BRIDGES TABLE=portico_$BRIDGES PREFIX=check- FIRST_NETWORK=$((130 + RANDOM % 120))
LXD_ADDRESS=127.0.0.1:$(free_port) PDNS_PORT=$(free_port) DNS_PORT=$(free_port)
PORT=$(free_port) CONSOLE_PORT=$(free_port) EVENTS=$(free_port)
ENGINE_SECRETS=whsec_$(head -c 32 /dev/urandom | base64)
export LXD_ADDRESS PDNS_PORT DNS_PORT PORT CONSOLE_PORT EVENTS ENGINE_SECRETS ENGINE_SECRET=$ENGINE_SECRETS
export PORTAL_URL=http://127.0.0.1:$EVENTS
export USAGE_SECONDS=${USAGE_SECONDS:-10} SAMPLE_SECONDS=${SAMPLE_SECONDS:-4} MEND_SECONDS=${MEND_SECONDS:-5}

children=()
purge() {
  for child in "${children[@]}"; do kill -KILL "$child" 2>/dev/null; done
  timeout 120 engines/debian/host/purge.sh --yes >/dev/null 2>&1
  rm -rf "$scratch"
}
