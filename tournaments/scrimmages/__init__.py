"""Scrimmages: a few bots on the same deals from all sides, and what the results say."""
