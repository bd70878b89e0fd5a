"""What the commands of the command line share: arguments, the terminal, how they end."""
