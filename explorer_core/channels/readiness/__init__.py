"""Makes the index ready for a question, starting with the files that matter to it."""
