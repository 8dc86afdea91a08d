# The tree of a release as release/assemble.ts makes it.
{ release-step, ... }:
release-step {
  name = "effx-installation";
  command = ''
    bun --no-env-file release/assemble.ts "$out"
  '';
}
