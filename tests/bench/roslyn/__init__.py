"""The C# compiler as a language server, to compare the graph with."""
