"""Which units are looked at closely, how well each answers a question, and by which lines."""
