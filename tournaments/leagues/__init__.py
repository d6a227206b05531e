"""Leagues that play by themselves: their folders, settings, entrants, runs and what is published of them."""
