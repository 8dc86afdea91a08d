# `node_modules` as bun.lock pins it: a fixed-output derivation. nix/node-modules.json holds its hash and the hash of the bun.lock that it
# belongs to; out of step, evaluation ends with what to run.
{
  stdenv,
  source,
  bun,
  ...
}:
let
  pinned = builtins.fromJSON (builtins.readFile ./node-modules.json);
  lock = builtins.hashFile "sha256" ../bun.lock;
  hash =
    if pinned.lock == lock then
      pinned.hash
    else
      throw "nix/node-modules.json belongs to another bun.lock; run release/update-node-modules-hash and commit what it writes";
in
stdenv.mkDerivation {
  # The lock is part of the name: another lock is another path, never an old tree under a new lock.
  name = "effx-node-modules-${builtins.substring 0 12 lock}";
  src = source ([
    "bun.lock"
    "bunfig.toml"
    "package.json"
    "release/install-node-modules.sh"
  ]
  ++ map (folder: "src/${folder}/package.json") (builtins.attrNames (builtins.readDir ../src)));
  nativeBuildInputs = [ bun ];
  outputHashMode = "recursive";
  outputHash = hash;
  impureEnvVars = import ./network-variables.nix;
  buildCommand = ''
    bash "$src/release/install-node-modules.sh" bun "$out"
  '';
}
