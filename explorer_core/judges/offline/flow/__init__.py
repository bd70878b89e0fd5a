"""The definitions that a flow is drawn through, its steps, and what is told beside them."""
