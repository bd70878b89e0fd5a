"""The faces of Sightline, which its users meet: language server, command line and MCP server."""
