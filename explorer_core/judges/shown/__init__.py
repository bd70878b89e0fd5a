"""What a model is shown of a ranking: the best places, in pieces, each under its id."""
