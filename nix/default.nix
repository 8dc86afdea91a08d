# What the flake's outputs are made of, from one set of packages. They use of it: stdenv.mkDerivation with buildCommand, stdenv.cc,
# glibc, nodejs, patchelf, xz, git and bashInteractive, which is what nix/host offers too.
{ self, pkgs }:
let
  call = file: import file (pkgs // here);
  here = {
    inherit self;
    source = import ./source.nix;
    commit = import ./commit.nix { inherit self; };
    bun = call ./bun.nix;
    node-modules = call ./node-modules.nix;
    stdio-shim = call ./stdio-shim.nix;
    release-step = call ./release-step.nix;
    installation = call ./installation.nix;
    effx = call ./effx.nix;
    release = call ./release.nix;
    effx-check = call ./effx-check.nix;
    dev-shell = call ./dev-shell.nix;
    formatter = call ./formatter.nix;
    checks = call ./checks.nix;
  };
in
here
