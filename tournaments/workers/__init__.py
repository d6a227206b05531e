"""How units are played: an engine with worker processes, each with a referee and bots of its own."""
