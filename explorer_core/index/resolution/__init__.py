"""What a reference means, worked out from the facts of many files when it is asked."""
