#!/bin/sh
# Compiles native/effx_stdio.c to effx-stdio.so: `release/build-shim.sh [FOLDER]`, into dist/shim unless told otherwise.
#
# CC names the compiler (else the first of cc, gcc, clang). Equal sources and an equal compiler give equal bytes, in
# whatever folder: no build id, no compiler banner, no debug information, no path. Every flag that decides about the
# bytes is given here, and those that compiler wrappers add are switched off.
# Start-up objects and the compiler's run-time library stay out, so that libc is all that the shim needs.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
output=${1:-$root/dist/shim}
case $output in /*) ;; *) output=$PWD/$output ;; esac

if [ -z "${CC:-}" ]; then
  for CC in cc gcc clang none; do
    if command -v "$CC" >/dev/null 2>&1; then break; fi
  done
  if [ "$CC" = none ]; then
    echo "effx build-shim: no C compiler is found; install gcc or set CC" >&2
    exit 1
  fi
fi

# Nixpkgs wrap the compiler; theirs would add hardening flags and a search path of the store.
export NIX_HARDENING_ENABLE='' NIX_DONT_SET_RPATH=1 NIX_DONT_SET_RPATH_x86_64_unknown_linux_gnu=1
# The locale decides about the compiler's messages, and gcc takes flags from neither of these.
export LC_ALL=C
unset CPATH C_INCLUDE_PATH LIBRARY_PATH DEPENDENCIES_OUTPUT SUNPRO_DEPENDENCIES GCC_EXEC_PREFIX

mkdir -p "$output"
partial=$output/.effx-stdio.so.$$
trap 'rm -f "$partial"' EXIT
trap 'exit 1' HUP INT TERM

cd "$root"
# CC may hold arguments, such as `ccache gcc`.
# shellcheck disable=SC2086
$CC \
  -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror \
  -O2 -g0 -m64 -march=x86-64 -mtune=generic -fPIC -fvisibility=hidden -fno-ident \
  -U_FORTIFY_SOURCE -fstack-protector-strong -fstack-clash-protection -fcf-protection=full \
  -fno-asynchronous-unwind-tables -fno-unwind-tables \
  "-ffile-prefix-map=$root=." \
  -shared -nostartfiles -nodefaultlibs \
  -Wl,-soname,effx-stdio.so -Wl,--build-id=none -Wl,--hash-style=gnu -Wl,--strip-all \
  -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,-z,defs -Wl,-z,text \
  -o "$partial" native/effx_stdio.c -lc

chmod 644 "$partial"
mv -f "$partial" "$output/effx-stdio.so"
