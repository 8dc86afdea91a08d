# The release archive with its side files, as `npm run release` makes them.
{ release-step, ... }:
release-step {
  name = "effx-release";
  command = ''
    bun --no-env-file release/release.ts
    mkdir "$out"
    find dist -maxdepth 1 -type f ! -name '*.stamp' -exec cp {} "$out" \;
  '';
}
