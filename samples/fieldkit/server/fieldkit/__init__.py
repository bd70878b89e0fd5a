"""The server that devices synchronise with."""
