"""What expressions stand for, step by step from what they begin with."""
