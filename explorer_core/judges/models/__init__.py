"""One turn of a model: what is asked, what comes back, what it cost; and the ways to one."""
