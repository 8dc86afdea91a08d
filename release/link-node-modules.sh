#!/usr/bin/env bash
# Gives the folder TO a node_modules that holds what FROM's does, without copying: link-node-modules.sh FROM TO.
#
# Every package is a link to the one in FROM. A link between a workspace's own packages (`@effx/cli` to `src/cli`) stays as it is, so it
# leads into TO.
set -euo pipefail
shopt -s nullglob

from=$(cd -P "$1/node_modules" && pwd -P)
to=$2/node_modules

place() {
  if [ -L "$1" ]; then cp -P "$1" "$2"; else ln -s "$1" "$2"; fi
}

mkdir -p "$to"
for entry in "$from"/*; do
  name=${entry##*/}
  case $name in
    @*)
      mkdir -p "$to/$name"
      for package in "$entry"/*; do place "$package" "$to/$name/${package##*/}"; done
      ;;
    *) place "$entry" "$to/$name" ;;
  esac
done
if [ -d "$from/.bin" ]; then cp -RP "$from/.bin" "$to/.bin"; fi
