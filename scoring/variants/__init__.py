"""One TOML file a game; `scoring.rulefile` reads them."""
