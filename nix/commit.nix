# What the flake knows of the commit that it is built from.
#
# Nix withholds the revision when an input is overridden without a new lock file, as nix/host is. Whoever does so may say it:
# `EFFX_COMMIT=$(git rev-parse HEAD) nix build --impure …`, with EFFX_MODIFIED=1 for a tree that has uncommitted changes.
{ self }:
let
  said = builtins.getEnv "EFFX_COMMIT";
  unknown = "0000000000000000000000000000000000000000";
in
{
  revision =
    self.rev or (if said != "" then said else builtins.substring 0 40 (self.dirtyRev or unknown));
  modified =
    if self ? rev || (said != "" && builtins.getEnv "EFFX_MODIFIED" != "1") then "0" else "1";
  # Seconds; the time of the commit where the tree is clean.
  time = toString (self.lastModified or 0);
}
