# The pinned Bun: `archive`, as its publisher packed it and as tools/bun/package-lock.json pins it; the same program `published`; and the
# output itself, whose interpreter is the store's glibc so that it runs where there is no other.
{
  stdenv,
  source,
  glibc,
  nodejs,
  patchelf,
  ...
}:
let
  lock = builtins.fromJSON (builtins.readFile ../tools/bun/package-lock.json);
  name = "@oven/bun-linux-x64-baseline";
  pinned = lock.packages."node_modules/${name}";

  archive = stdenv.mkDerivation {
    name = "bun-linux-x64-baseline-${pinned.version}.tgz";
    nativeBuildInputs = [ nodejs ];
    src = source [ "release/fetch-bun.sh" ];
    outputHashMode = "flat";
    outputHash = pinned.integrity;
    impureEnvVars = import ./network-variables.nix;
    buildCommand = ''
      bash "$src/release/fetch-bun.sh" "${name}@${pinned.version}" "$out"
    '';
  };

  published = stdenv.mkDerivation {
    name = "bun-published-${pinned.version}";
    inherit archive;
    buildCommand = ''
      mkdir "$out"
      tar -xzf "$archive" -C "$out" --strip-components=1 --no-same-owner
      chmod -R u=rwX,go=rX "$out"
    '';
  };
in
stdenv.mkDerivation {
  name = "bun-${pinned.version}";
  inherit published;
  nativeBuildInputs = [ patchelf ];
  # Only the interpreter: with an edited RPATH this Bun crashes.
  buildCommand = ''
    mkdir -p "$out/bin"
    cp "$published/bin/bun" "$out/bin/bun"
    chmod u+w "$out/bin/bun"
    patchelf --set-interpreter "${glibc}/lib/ld-linux-x86-64.so.2" "$out/bin/bun"
    "$out/bin/bun" --no-env-file --version
  '';
  passthru = { inherit archive published; };
}
