"""One module per LSP feature, each with ``register(server)``."""
