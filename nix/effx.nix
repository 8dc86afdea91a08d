# The effx command for this set of packages: the release's tree with a Bun that starts through the store's glibc, so it runs wherever
# Nix does.
{
  stdenv,
  bun,
  glibc,
  installation,
  node-modules,
  source,
  ...
}:
stdenv.mkDerivation {
  name = "effx";
  src = source [
    "package.json"
    "release"
    "src"
    "tsconfig.json"
  ];
  nativeBuildInputs = [ bun ];
  buildCommand = ''
    cp -R "$src" tree
    chmod -R u+w tree
    bash tree/release/link-node-modules.sh ${node-modules} tree
    cp -R ${installation} "$out"
    chmod -R u+w "$out"
    bun --no-env-file tree/release/use-loader.ts "$out" ${bun}/bin/bun ${glibc}/lib/ld-linux-x86-64.so.2
    "$out/bin/effx" --version
  '';
  meta = {
    description = "An ahead-of-time compiler for Effect 4 applications";
    mainProgram = "effx";
    platforms = [ "x86_64-linux" ];
  };
}
