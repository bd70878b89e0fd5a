"""Where in the code the symptom of a question is: its message, its trace, a line it points to."""
