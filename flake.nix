{
  description = "effx, an ahead-of-time compiler for Effect 4 applications";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/549bd84d6279f9852cae6225e372cc67fb91a4c1";

  outputs =
    { self, nixpkgs }:
    let
      system = "x86_64-linux";
      pkgs = nixpkgs.legacyPackages.${system};
      effx = import ./nix { inherit self pkgs; };
    in
    {
      packages.${system} = {
        inherit (effx)
          effx
          stdio-shim
          release
          node-modules
          ;
        default = effx.effx;
      };

      apps.${system} = rec {
        effx = {
          type = "app";
          program = "${self.packages.${system}.effx}/bin/effx";
          meta.description = "The effx command";
        };
        default = effx;
      };

      checks.${system} = effx.checks;

      devShells.${system}.default = effx.dev-shell;

      formatter.${system} = effx.formatter;

      # What is built here comes from the pinned nixpkgs unless a flake says `inputs.effx.inputs.nixpkgs.follows`; an overlay takes
      # the packages of whoever applies it.
      overlays.default =
        final: _:
        let
          here = import ./nix {
            inherit self;
            pkgs = final;
          };
        in
        {
          inherit (here) effx;
          effxCheck = here.effx-check;
        };

      lib.effxCheck = effx.effx-check;
    };
}
