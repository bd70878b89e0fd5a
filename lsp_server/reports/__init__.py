"""The reports of a client: kept up to date with its files, shown, and vouched for."""
