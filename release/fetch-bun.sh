#!/usr/bin/env bash
# Fetches one package's archive as its publisher packed it: fetch-bun.sh NAME@VERSION FILE. Needs npm alone, and asks the registry
# that npm is set to. Whoever calls compares the file with the lock's integrity.
set -euo pipefail

package=$1
file=$2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
HOME=$folder npm_config_cache=$folder/cache npm_config_update_notifier=false \
  npm pack "$package" --silent --ignore-scripts --pack-destination "$folder" >/dev/null
mv "$folder"/*.tgz "$file"
