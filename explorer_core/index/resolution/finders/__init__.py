"""What imports lead to: files by their paths, and modules by the style of a language's imports."""
