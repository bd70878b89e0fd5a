"""The webshop: catalogue, cart, checkout, orders."""
