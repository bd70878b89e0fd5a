"""Which definitions a flow runs through, in which steps, and what is added beside them."""
