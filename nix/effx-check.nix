# lib.effxCheck: `effx check` of a user's project as a derivation, so that Nix's remote builders and binary caches check a fleet of
# projects. Builds when the project has no finding of severity error; else the log shows what `effx check` says. The output is the
# report.
#
#   src          the project's files
#   project      its tsconfig.json below src
#   nodeModules  a derivation with the project's node_modules in it, where src does not hold them
#   name         of the derivation
{
  stdenv,
  effx,
  source,
  ...
}:
{
  src,
  project ? "tsconfig.json",
  nodeModules ? null,
  name ? "effx-check",
}:
stdenv.mkDerivation {
  inherit name src project;
  nodeModules = if nodeModules == null then "" else nodeModules;
  steps = source [ "release/link-node-modules.sh" ];
  nativeBuildInputs = [ effx ];
  buildCommand = ''
    mkdir project
    cp -R "$src"/. project
    chmod -R u+w project
    if [ -n "$nodeModules" ]; then bash "$steps/release/link-node-modules.sh" "$nodeModules" project; fi
    cd project
    mkdir "$out"
    if ! effx check --project "$project" > "$out/report.txt" 2>&1; then
      cat "$out/report.txt" >&2
      exit 1
    fi
  '';
}
