# The effx command for this set of packages: it runs wherever Nix does, since its Bun starts through the store's glibc.
{
  stdenv,
  source,
  bun,
  node-modules,
  ...
}:
stdenv.mkDerivation {
  name = "effx";
  src = source [
    "LICENSE"
    "package.json"
    "release"
    "src"
    "tools/bun/package.json"
    "tsconfig.json"
  ];
  buildCommand = ''
    top=$out/lib/effx
    mkdir -p "$out/bin" "$top"
    cp -R "$src"/. "$top"
    chmod -R u+w "$top"
    bash "$src/release/link-node-modules.sh" ${node-modules} "$top"
    home=$top/tools/bun/node_modules/@oven/bun-linux-x64-baseline/bin
    mkdir -p "$home"
    ln -s ${bun}/bin/bun "$home/bun"
    ln -s "$top/src/cli/bin/effx" "$out/bin/effx"
    "$out/bin/effx" --version
  '';
  meta = {
    description = "An ahead-of-time compiler for Effect 4 applications";
    mainProgram = "effx";
    platforms = [ "x86_64-linux" ];
  };
}
