# What the flake knows of the commit that it is built from.
{ self }:
{
  # Of a tree with uncommitted changes, the commit below them; older Nix does not tell it.
  revision =
    self.rev or (builtins.substring 0 40 (self.dirtyRev or "0000000000000000000000000000000000000000"));
  modified = if self ? rev then "0" else "1";
  # Seconds; the time of the commit where the tree is clean.
  time = toString (self.lastModified or 0);
}
