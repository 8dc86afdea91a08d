# `nix flake check`. Each check runs a command that runs outside Nix as well.
{
  stdenv,
  source,
  bun,
  node-modules,
  stdio-shim,
  effx,
  effx-check,
  ...
}:
let
  # A writable copy of the named parts of the repository, with its dependencies.
  check =
    {
      name,
      parts,
      command,
    }:
    stdenv.mkDerivation {
      name = "effx-check-${name}";
      src = source (
        parts
        ++ [
          "package.json"
          "release"
          "src"
          "tools"
          "tsconfig.json"
        ]
      );
      nativeBuildInputs = [ bun ];
      # Native packages of the test runner need libgcc_s, which the store's loader does not find by itself.
      LD_LIBRARY_PATH = "${stdenv.cc.cc.lib}/lib";
      buildCommand = ''
        cp -R "$src" tree
        chmod -R u+w tree
        bash tree/release/link-node-modules.sh ${node-modules} tree
        cd tree
        export HOME=$PWD/.home
        mkdir "$HOME"
        ${command}
        touch "$out"
      '';
    };
in
{
  inherit effx node-modules;

  tests = check {
    name = "tests";
    parts = [
      "docs"
      "test"
      "vitest.config.ts"
    ];
    command = "CI=1 bun --no-env-file --bun node_modules/.bin/vitest run test/ir test/diagnostics test/compiler/laws.test.ts";
  };

  abi = check {
    name = "abi";
    parts = [ ];
    command = "bun --no-env-file tools/check-shim.ts ${stdio-shim}/lib/effx/effx-stdio.so";
  };

  reproducibility = check {
    name = "reproducibility";
    parts = [
      "LICENSE"
      "bun.lock"
      "native"
    ];
    command = "BUN=bun bash release/build-twice.sh";
  };

  formatting = check {
    name = "formatting";
    parts = [
      "biome.json"
      "test"
    ];
    command = "node_modules/@biomejs/cli-linux-x64-musl/biome ci --colors=off .";
  };

  project = effx-check {
    name = "effx-check-fixture";
    src = source [
      "fixtures/users"
      "src/runtime"
    ];
    project = "fixtures/users/tsconfig.json";
    nodeModules = node-modules;
  };
}
