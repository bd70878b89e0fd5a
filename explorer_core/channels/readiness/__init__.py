"""Getting the index ready for a question, beginning with the files that matter to it."""
