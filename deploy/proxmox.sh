#!/usr/bin/env bash
# Kanbase in a container of its own on Proxmox VE 8 or newer: run this on the host, as root.
#   bash proxmox.sh                            the latest release, 1 processor, 512 MB, 8 GB on local-lvm, an address by DHCP
#   CTID=150 MEMORY=1024 VERSION=1.2.3 bash proxmox.sh
# In the container: `systemctl status kanbase`, `journalctl -u kanbase`, settings in /etc/kanbase.env. An upgrade: `kanbase-upgrade [version]`.
set -euo pipefail

CTID=${CTID:-$(pvesh get /cluster/nextid)}
NAME=${NAME:-kanbase}
CORES=${CORES:-1}
MEMORY=${MEMORY:-512}
SWAP=${SWAP:-512}
DISK=${DISK:-8}
STORAGE=${STORAGE:-local-lvm}
TEMPLATES=${TEMPLATES:-local}
BRIDGE=${BRIDGE:-vmbr0}
VERSION=${VERSION:-latest}

say() { printf '%s\n' "$*" >&2; }

[[ $VERSION =~ ^[0-9A-Za-z.-]+$ ]] || { say "VERSION must be a version such as 1.2.3, or latest"; exit 2; }
command -v pct > /dev/null || { say "This isn't a Proxmox host: pct is missing"; exit 1; }

say "Looking for the template of Debian 13 ..."
pveam update > /dev/null
template=$(pveam available --section system | awk '$2 ~ /^debian-13-standard_.*amd64/ { found = $2 } END { print found }')
[[ -n $template ]] || { say "pveam offers no debian-13-standard template"; exit 1; }
pveam list "$TEMPLATES" | grep -q "$template" || pveam download "$TEMPLATES" "$template"

say "Creating container $CTID ($NAME): $CORES processor, $MEMORY MB, $DISK GB ..."
pct create "$CTID" "$TEMPLATES:vztmpl/$template" \
  --hostname "$NAME" --unprivileged 1 --features nesting=1 --onboot 1 \
  --cores "$CORES" --memory "$MEMORY" --swap "$SWAP" --rootfs "$STORAGE:$DISK" \
  --net0 "name=eth0,bridge=$BRIDGE,ip=dhcp"
pct start "$CTID"

say "Waiting for the network ..."
for _ in $(seq 60); do
  if pct exec "$CTID" -- ip route show default 2> /dev/null | grep -q default; then break; fi
  sleep 1
done

say "Installing Node and Kanbase (a few minutes) ..."
pct exec "$CTID" -- env VERSION="$VERSION" bash -s <<'INSIDE'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
# Debian 13 brings Node 20.19, the oldest that Kanbase runs on.
apt-get -qq install --no-install-recommends nodejs npm ca-certificates > /dev/null
id kanbase > /dev/null 2>&1 || useradd --system --home-dir /var/lib/kanbase --shell /usr/sbin/nologin kanbase
install -d -o kanbase -g kanbase -m 0700 /var/lib/kanbase

cat > /usr/local/sbin/kanbase-upgrade <<'UPGRADE'
#!/bin/sh
# Installs a version of Kanbase (the latest without one) and starts it; the database is backed up before its tables change.
set -eu
npm install --global --prefix /opt/kanbase --ignore-scripts --no-audit --no-fund "kanbase@${1:-latest}"
systemctl restart kanbase
UPGRADE
chmod 0755 /usr/local/sbin/kanbase-upgrade

if [ ! -e /etc/kanbase.env ]; then
  printf 'DATA_DIR=/var/lib/kanbase\nHOST=0.0.0.0\nPORT=3000\nPRODUCTION=true\n' > /etc/kanbase.env
  chown root:kanbase /etc/kanbase.env
  chmod 0640 /etc/kanbase.env
fi

cat > /etc/systemd/system/kanbase.service <<'UNIT'
[Unit]
Description=Kanbase
After=network-online.target
Wants=network-online.target

[Service]
User=kanbase
WorkingDirectory=/var/lib/kanbase
EnvironmentFile=/etc/kanbase.env
ExecStart=/usr/bin/node --enable-source-maps /opt/kanbase/lib/node_modules/kanbase/dist/server/main.js serve
Restart=on-failure
RestartSec=2
KillMode=mixed
TimeoutStopSec=30
UMask=0077
NoNewPrivileges=true
ProtectSystem=strict
ReadWritePaths=/var/lib/kanbase
ProtectHome=true
PrivateTmp=true

[Install]
WantedBy=multi-user.target
UNIT
systemctl enable --quiet kanbase
kanbase-upgrade "$VERSION" > /dev/null
INSIDE

address=$(pct exec "$CTID" -- hostname -I | awk '{ print $1 }')
say "Kanbase runs at http://$address:3000 (container $CTID)."
say "The link of the first administrator: pct exec $CTID -- journalctl -u kanbase -o cat | grep Admin"
say "Set SITE_URL in /etc/kanbase.env before others sign in; docs/run/self-hosting.md says what else matters on a public site."
