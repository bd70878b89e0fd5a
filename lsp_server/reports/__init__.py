"""The reports of a client: kept in step with its files, shown to it, and vouched for."""
