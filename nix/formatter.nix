# `nix fmt`: the repository's formatter over the files that it is given, else over the working directory. The statically linked build
# of Biome is used, which needs no loader.
{
  stdenv,
  bashInteractive,
  node-modules,
  ...
}:
stdenv.mkDerivation {
  name = "effx-formatter";
  buildCommand = ''
    mkdir -p "$out/bin"
    cat > "$out/bin/effx-formatter" <<EOF
    #!${bashInteractive}/bin/bash
    [ \$# -gt 0 ] || set -- .
    exec ${node-modules}/node_modules/@biomejs/cli-linux-x64-musl/biome check --write "\$@"
    EOF
    sed -i 's/^    //' "$out/bin/effx-formatter"
    chmod +x "$out/bin/effx-formatter"
  '';
  meta.mainProgram = "effx-formatter";
}
