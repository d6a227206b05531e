"""How much an author's bots may send together; pure, time is a parameter."""

from typing import Final

MESSAGES_PER_SECOND: Final = 2000.0
"""What all streams of one token may send together for long."""

BYTES_PER_SECOND: Final = float(2 << 20)
BURST_SECONDS: Final = 2.0
"""How many seconds' worth may come at once."""


class Allowance:
    """
    What one token may send: whatever exceeds it is read later, and so holds up nobody but the sender.

    >>> allowance = Allowance(messages=10, size=1000, burst=1)
    >>> [round(allowance.take(10, now=0.0), 3) for _ in range(12)][-3:]
    [0.0, 0.1, 0.2]
    >>> round(allowance.take(2000, now=1.2), 3)
    1.0
    """

    def __init__(
        self,
        messages: float = MESSAGES_PER_SECOND,
        size: float = BYTES_PER_SECOND,
        burst: float = BURST_SECONDS,
    ) -> None:
        """Allow so many *messages* and bytes (*size*) a second, and *burst* seconds' worth of both at once."""
        self._rates = (messages, size)
        self._burst = burst
        self._debts = (0.0, 0.0)
        self._then = 0.0

    def take(self, size: int, now: float) -> float:
        """Note a message of *size* bytes at *now*, and return for how many seconds no more are to be read."""
        passed, self._then = max(0.0, now - self._then), now
        spent = (1 / self._rates[0], size / self._rates[1])
        self._debts = (
            max(0.0, self._debts[0] - passed) + spent[0],
            max(0.0, self._debts[1] - passed) + spent[1],
        )
        return max(0.0, max(self._debts) - self._burst)
