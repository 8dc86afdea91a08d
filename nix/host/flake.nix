{
  description = "A stand-in for nixpkgs on hosts that cannot reach it: the few attributes that effx uses, from the host's own packages";

  # For hosts without nixpkgs only. What is built with it depends on what this host has installed, so it must never go to a binary
  # cache, and no sandbox may be on. Everybody else wants the nixpkgs of flake.lock.
  #
  #   nix build --override-input nixpkgs path:./nix/host --no-write-lock-file
  #
  # Debian's names of what has to be there: gcc libc6-dev patchelf xz-utils git, and Node with npm.
  outputs =
    { self }:
    let
      system = "x86_64-linux";
      mkDerivation = import ./mk-derivation.nix { inherit system; };
      hostPackage = import ./host-package.nix { inherit mkDerivation; };
      programs =
        name: programs:
        hostPackage {
          inherit name programs;
        };
      libraries =
        name: libraries:
        hostPackage {
          inherit name libraries;
        };
    in
    {
      legacyPackages.${system} = {
        stdenv = {
          inherit mkDerivation;
          cc.cc.lib = libraries "libgcc" [ "libgcc_s.so.1" ];
        };
        bashInteractive = programs "bash" [ "bash" ];
        git = programs "git" [ "git" ];
        glibc = libraries "glibc" [ "ld-linux-x86-64.so.2" ];
        nodejs = programs "nodejs" [
          "node"
          "npm"
        ];
        patchelf = programs "patchelf" [ "patchelf" ];
        xz = programs "xz" [ "xz" ];
      };
    };
}
