# The shim, by the C compiler and the glibc headers of this set of packages.
{ stdenv, source, ... }:
stdenv.mkDerivation {
  name = "effx-stdio-shim";
  src = source [
    "native"
    "release/build-shim.sh"
  ];
  buildCommand = ''
    bash "$src/release/build-shim.sh" "$out/lib/effx"
  '';
}
