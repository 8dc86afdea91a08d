# What working on effx takes: `effx` itself, the pinned Bun, and the tools of the release.
{
  stdenv,
  bun,
  effx,
  git,
  nodejs,
  patchelf,
  xz,
  ...
}:
stdenv.mkDerivation {
  name = "effx-dev-shell";
  nativeBuildInputs = [
    effx
    bun
    git
    nodejs
    patchelf
    xz
  ];
  # npm's Bun cannot start where /lib64 has no glibc; in a clone on such a system the store's takes its place.
  shellHook = ''
    pinned=tools/bun/node_modules/@oven/bun-linux-x64-baseline/bin/bun
    if [ -e tools/bun/package-lock.json ] && ! "$pinned" --no-env-file --version >/dev/null 2>&1; then
      mkdir -p "''${pinned%/*}"
      ln -sf ${bun}/bin/bun "$pinned"
    fi
    unset pinned
  '';
  buildCommand = ''
    mkdir "$out"
  '';
}
