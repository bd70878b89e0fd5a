"""What an answer amounts to: what to read, what is missing, how sure the judge may be."""
