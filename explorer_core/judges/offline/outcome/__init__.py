"""What an answer comes to: what is to be read, what it lacks, how sure it may be."""
