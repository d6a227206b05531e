"""The house bots, each written as an author would write one."""
