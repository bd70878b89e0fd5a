"""The judges that ask a model: a conversation with tools, and one call over a packet."""
