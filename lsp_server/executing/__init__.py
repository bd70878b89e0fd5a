"""What the commands of the server share: how they are carried out and what they answer."""
