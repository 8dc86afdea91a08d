#!/bin/sh
# Prints the Git tree hash of the repository's files as they are in the work tree: `release/source-tree.sh`.
#
# Of a clean clone that is the tree of its commit; it also works on an unpacked source without `.git`, all of whose files count then.
# Neither the repository nor its index is changed. Needs git.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

cd "$root"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
export HOME="$folder" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
git() { command git -c core.autocrlf=false -c core.fileMode=true -c 'safe.directory=*' "$@"; }

if [ -e .git ]; then
  # What is new goes to a folder of its own.
  objects=$(git rev-parse --path-format=absolute --git-path objects)
  export GIT_ALTERNATE_OBJECT_DIRECTORIES="$objects" GIT_OBJECT_DIRECTORY="$folder/objects"
  export GIT_INDEX_FILE="$folder/index"
  mkdir "$folder/objects"
  git read-tree HEAD
  git add -A
else
  git init -q --bare "$folder/repository"
  export GIT_DIR="$folder/repository" GIT_WORK_TREE="$root"
  git add -A -f
fi
git write-tree
