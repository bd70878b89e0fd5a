"""What names stand for that nothing stands before: imports, exports, packages."""
