"""Text search over files in a separate process: ripgrep, or a stand-in for it."""
