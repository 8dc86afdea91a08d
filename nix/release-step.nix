# A step of release/ as a derivation: the repository with its dependencies, what is known of the commit, the published Bun and this set's
# shim. It runs in a copy of the repository.
{
  self,
  stdenv,
  commit,
  bun,
  git,
  node-modules,
  patchelf,
  stdio-shim,
  xz,
  ...
}:
{ name, command }:
stdenv.mkDerivation {
  inherit name;
  src = self;
  nativeBuildInputs = [
    bun
    git
    patchelf
  ];
  EFFX_COMMIT = commit.revision;
  EFFX_MODIFIED = commit.modified;
  EFFX_RELEASE_BUN = "${bun.published}/bin/bun";
  EFFX_RELEASE_SHIM = "${stdio-shim}/lib/effx/effx-stdio.so";
  XZ = "${xz}/bin/xz";
  buildCommand = ''
    export HOME=$PWD SOURCE_DATE_EPOCH=${commit.time}
    export EFFX_TREE=$(sh "$src/release/source-tree.sh")
    cp -R "$src" tree
    chmod -R u+w tree
    bash tree/release/link-node-modules.sh ${node-modules} tree
    cd tree
    ${command}
  '';
}
