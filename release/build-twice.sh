#!/usr/bin/env bash
# Builds the shim and the npm archives twice, the second time from a copy in another folder, under another umask, time zone and locale,
# and fails with what differs. BUN names the Bun that builds.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bun=${BUN:-$top/tools/bun/node_modules/@oven/bun-linux-x64-baseline/bin/bun}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

build() {
  sh "$1/release/build-shim.sh" "$2/shim"
  (cd "$1" && "$bun" --no-env-file release/pack-npm.ts "$2/npm" >/dev/null)
}

copy="$folder/a copy, elsewhere"
mkdir "$copy"
(cd "$top" && cp -R LICENSE bun.lock native package.json release src tsconfig.json "$copy")
bash "$top/release/link-node-modules.sh" "$top" "$copy"

build "$top" "$folder/one"
(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 build "$copy" "$folder/two")

diff -r "$folder/one" "$folder/two"
echo "Equal: $(cd "$folder/one" && find . -type f | wc -l) files, built twice"
