"""What was said over the streams of one bot process during a check, and the trouble that is to be made there."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

import grpc
from handfoot.v1.referee_service_pb2 import DecisionRequest, Hello, PlayRequest, PlayResponse, Refusal

from tournaments.compliance.wording import from_bot, from_referee

KEPT: Final = 12
"""How many lines of what was said are kept."""

REFUSAL: Final = (
    "the check refuses this answer once, to see what the bot does: answer again, in any legal way"
)
"""The reason that a bot is given when the check refuses what it decided."""

Ending = tuple[grpc.StatusCode, str]
"""How a stream is to end."""


class Line:
    """The streams of one bot process, one after the other."""

    def __init__(self) -> None:
        self.hellos: list[Hello] = []
        """The first message of each stream."""
        self.rejected = ""
        """Why a stream was not let in."""
        self.welcomes = 0
        self.ready = 0
        self.answers = 0
        """How many requests it has answered."""
        self.refusals: list[Refusal] = []
        """What the referee refused."""
        self.refuses = 0
        """How many answers are still to be refused by the check."""
        self.refused = 0
        """How many were."""
        self.breaks = 0
        """How often a stream is still to be broken."""
        self.broken = 0
        """How often one was."""
        self.exchange: deque[str] = deque(maxlen=KEPT)
        """What was said last."""
        self._request = DecisionRequest()
        self._cut: asyncio.Future[Ending] | None = None
        self._moved = asyncio.Event()

    async def reach(self, holds: Callable[["Line"], bool]) -> None:
        """Return as soon as *holds* is true; it is asked whenever something was said."""
        while not holds(self):
            self._moved.clear()
            await self._moved.wait()

    # ------------------------------------------------------------------ what was said

    def open(self, hello: Hello, cut: "asyncio.Future[Ending]") -> None:
        """Note that a stream begins; it ends as soon as *cut* says how."""
        self.hellos.append(hello)
        self._cut = cut

    def hear(self, request: PlayRequest) -> None:
        """Note what the bot said."""
        self.exchange += from_bot(request)
        self.ready += len(request.ready)
        self.answers += len(request.decisions)
        self._moved.set()

    def tell(self, response: PlayResponse) -> None:
        """Note what the bot is told."""
        self.exchange += from_referee(response)
        self.welcomes += response.HasField("welcome")
        self.refusals += [refusal for refusal in response.refusals if refusal.reason != REFUSAL]
        for request in response.requests:
            self._request = request
        self._moved.set()

    def reject(self, reason: str) -> None:
        """Note that a stream was not let in, or was ended with a reason."""
        self.rejected = reason
        self.exchange.append(f"referee: ends the stream: {reason}")
        self._moved.set()

    # ------------------------------------------------------------------ trouble

    def refusal_of(self, request: PlayRequest) -> PlayResponse | None:
        """Return the message that refuses what the bot decided, as often as it is to be; the request comes again."""
        asked = self._request
        if not (self.refuses and request.decisions) or len(asked.legal_actions) == 1:
            return None  # where only one action is listed, a bot may not know of another answer
        self.refuses -= 1
        self.refused += 1
        again = DecisionRequest()
        again.CopyFrom(asked)
        del again.events[:]
        refusal = Refusal(
            table_id=asked.table_id,
            seat=asked.seat,
            request_id=asked.request_id,
            fault=Refusal.FAULT_ILLEGAL,
            index=0,
            reason=REFUSAL,
            corrections_left=2,
        )
        return PlayResponse(refusals=[refusal], requests=[again])

    def break_after(self, response: PlayResponse) -> None:
        """Break the stream if that is to be done, and *response* has a request that is not the bot's first."""
        if self.breaks and self.answers and response.requests:
            self.breaks -= 1
            self.broken += 1
            self._end("check: breaks the stream", grpc.StatusCode.UNAVAILABLE, "the stream is broken")

    def close(self) -> None:
        """Close the stream, as the referee does when it is done with a bot."""
        self._end("referee: closes the stream", grpc.StatusCode.OK, "")

    def _end(self, told: str, code: grpc.StatusCode, details: str) -> None:
        if self._cut is not None and not self._cut.done():
            self.exchange.append(told)
            self._cut.set_result((code, details))
