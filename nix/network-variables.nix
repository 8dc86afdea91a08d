# What a fixed-output derivation takes from the environment of whoever runs Nix, to reach a registry behind a proxy or a mirror.
# Nothing of it can change a byte of the output: that is what the fixed hash says.
[
  "http_proxy"
  "https_proxy"
  "all_proxy"
  "no_proxy"
  "HTTP_PROXY"
  "HTTPS_PROXY"
  "NO_PROXY"
  "NODE_EXTRA_CA_CERTS"
  "npm_config_registry"
  "BUN_CONFIG_REGISTRY"
]
