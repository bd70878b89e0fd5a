"""Transport and dispatch of messages, and the response to the first, where these differ from
pygls."""
