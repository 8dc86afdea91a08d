#!/bin/sh
# Prints what the shim is compiled with, on two lines: the compiler and the C library of the headers, each by name and version.
# They come from the compiler itself, so that neither its file's name nor its packager's banner takes part. CC as in build-shim.sh.
set -eu

if [ -z "${CC:-}" ]; then
  for CC in cc gcc clang none; do
    if command -v "$CC" >/dev/null 2>&1; then break; fi
  done
fi
export LC_ALL=C
# shellcheck disable=SC2086
printf '%s\n' '#include <features.h>' \
  '#ifdef __clang__' 'clang __clang_major__ __clang_minor__ __clang_patchlevel__' \
  '#else' 'gcc __GNUC__ __GNUC_MINOR__ __GNUC_PATCHLEVEL__' '#endif' \
  'glibc __GLIBC__ __GLIBC_MINOR__' |
  $CC -E -P -x c - |
  while read -r name major minor patch; do
    case $name in
      clang | gcc) echo "$name $major.$minor.$patch" ;;
      glibc) echo "$name $major.$minor" ;;
    esac
  done
