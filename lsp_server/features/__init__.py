"""One file per LSP feature; each has ``register(server)``."""
