"""The words of a file, divided into the units that search ranks."""
