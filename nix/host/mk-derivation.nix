# The part of stdenv.mkDerivation that effx uses: `buildCommand` runs in an empty folder, with the programs of `nativeBuildInputs`
# first in PATH and the host's own (its C compiler among them) behind. No phases, no hooks, no fix-up.
{ system }:
{
  nativeBuildInputs ? [ ],
  passthru ? { },
  meta ? { },
  ...
}@attributes:
derivation (
  removeAttrs attributes [
    "passthru"
    "meta"
  ]
  // {
    inherit system nativeBuildInputs;
    builder = "/bin/bash";
    args = [
      "-e"
      ./builder.sh
    ];
    # `nix develop` enters a derivation through `$stdenv/setup`, as the builder does, and writes what it found to `$outputs`.
    stdenv = ./stdenv;
    outputs = [ "out" ];
  }
)
// {
  inherit meta passthru;
}
// passthru
