"""The definitions a flow is drawn through, and the steps that come of it."""
