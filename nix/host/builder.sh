# Builds one derivation of nix/host: the environment of `setup`, then `buildCommand`.
source "$stdenv/setup"
umask 022
eval "$buildCommand"
