# A package made of what this host has installed: links to programs and to libraries, found by name. A host that lacks one
# fails here with its name.
{ mkDerivation }:
{
  name,
  programs ? [ ],
  libraries ? [ ],
}:
mkDerivation {
  name = "host-${name}";
  inherit programs libraries;
  buildCommand = ''
    mkdir -p "$out/bin" "$out/lib"
    lacks() {
      echo "This host lacks $1, which nix/host takes from it for ${name}; install it with the host's package manager." >&2
      exit 1
    }
    for program in $programs; do
      found=$(command -v "$program") || lacks "the program $program"
      ln -s "$found" "$out/bin/$program"
    done
    for library in $libraries; do
      found=
      for folder in /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu /lib64 /usr/lib64 /usr/lib; do
        if [ -e "$folder/$library" ]; then
          found=$folder/$library
          break
        fi
      done
      [ -n "$found" ] || lacks "the library $library"
      ln -s "$found" "$out/lib/$library"
    done
  '';
}
