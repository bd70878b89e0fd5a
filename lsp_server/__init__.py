"""The faces: language server, command line and MCP."""
