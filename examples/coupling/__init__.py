"""What the closed loops of examples/ have in common: their parts, how they are connected, and masters to run them."""
