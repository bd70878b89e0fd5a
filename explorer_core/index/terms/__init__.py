"""The words of a file, by the pieces that search ranks."""
