"""The two ways to a model: a server that speaks the Messages API, and the user's editor."""
