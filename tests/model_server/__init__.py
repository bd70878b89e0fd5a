"""A model that follows a script, behind a real server of the Messages API."""
