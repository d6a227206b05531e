"""Open leagues: bots dial in, a lobby seats them, and units are played by whoever is there."""
