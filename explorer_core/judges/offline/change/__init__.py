"""What a change is about, who uses it, where a new one is registered, and which tests cover it."""
