"""What the judge says about a place, and which lines it shows and quotes."""
