"""From the text of one file to its facts. Nothing here knows of another file."""
