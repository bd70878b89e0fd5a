"""``python -m lsp_server`` is ``sightline``."""

from lsp_server.cli import main

main()
