"""The channels, which look at the code. They return typed observations and separate diagnostics."""
