"""The judges that use a model: a conversation with tools, and one call over a packet."""
