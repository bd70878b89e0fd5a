"""A model that says what a script tells it to, behind a real server of the Messages API."""
