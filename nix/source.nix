# Parts of the repository as a source: a derivation depends on the files that it names and on nothing else, so an edited test
# rebuilds no package.
names:
let
  root = toString ./..;
  below = path: builtins.substring (builtins.stringLength root + 1) (-1) (toString path);
  startsWith = prefix: text: builtins.substring 0 (builtins.stringLength prefix) text == prefix;
  # A file or folder that was named, what is inside it, and the folders that lead to it.
  wanted =
    path: name: path == name || startsWith "${name}/" path || startsWith "${path}/" name;
in
builtins.path {
  name = "effx-source";
  path = ./..;
  filter = path: _: builtins.any (wanted (below path)) names;
}
