#!/usr/bin/env bash
# Installs what bun.lock pins into OUT/node_modules, the same bytes on every machine: install-node-modules.sh BUN OUT.
#
# Hoisted, copied and without scripts: with Bun's isolated linker three installs of one lock gave two trees. Nothing of the
# user's caches or configuration takes part.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bun=$1
out=$2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
umask 022

cd "$top"
for file in package.json bun.lock bunfig.toml src/*/package.json; do
  mkdir -p "$folder/tree/$(dirname "$file")"
  cp "$file" "$folder/tree/$file"
done
cd "$folder/tree"
chmod -R u+w .

HOME=$folder BUN_INSTALL_CACHE_DIR=$folder/cache TMPDIR=$folder \
  "$bun" install --frozen-lockfile --ignore-scripts --linker=hoisted --backend=copyfile --no-progress >&2

nested=$(find src -name node_modules)
if [ -n "$nested" ]; then
  echo "install-node-modules: packages have dependencies of their own, which this output has no place for: $nested" >&2
  exit 1
fi
mkdir -p "$out"
mv node_modules "$out/node_modules"
