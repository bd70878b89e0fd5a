"""Where in the code a question's symptom occurs: its message, its trace, or a line it points to."""
