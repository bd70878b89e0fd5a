"""What is known of types and of what variables hold, as it is declared."""
