"""
A bot for tests, written on raw gRPC: ``stub_bot.py [--tell FILE] [TRICK[@NUMBER]...]``.

It plays uniformly among the legal actions it is sent, from its bot seed, and misbehaves as told: at its NUMBER-th
request, or at every one. ``wild`` is any one trick at any request, in one process of five. With ``--tell`` it writes
what it was told at the end to FILE.
"""

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import grpc
from handfoot.v1.action_pb2 import Action
from handfoot.v1.referee_service_pb2 import DecisionRequest, Hello, PlayRequest, PlayResponse

PLAY = "/handfoot.v1.RefereeService/Play"


class StubBot:
    """One stream and what it is to do wrong."""

    def __init__(self, tricks: dict[str, int], tell: Path | None) -> None:
        self.tricks, self.tell = tricks, tell
        self.rng = random.Random(0)
        self.asked = 0
        self.refused: list[str] = []

    def hello(self) -> PlayRequest:
        """Return the first message."""
        return PlayRequest(hello=Hello(token=os.environ["HANDFOOT_TOKEN"], protocol_versions=[1]))

    def answer(self, response: PlayResponse) -> list[bytes]:
        """Return the messages that follow."""
        reply = PlayRequest()
        if response.HasField("welcome") and "say-welcome" in self.tricks:
            print("welcome", flush=True)
        for seated in response.seated:
            self.rng = random.Random(seated.bot_seed)
            if "never-ready" not in self.tricks:
                reply.ready.add(table_id=seated.table_id)
        for refusal in response.refusals:
            self.refused.append(refusal.reason)
        sent = [] if not (reply.ready or reply.decisions) else [reply.SerializeToString()]
        for request in response.requests:
            sent += self.decide(request)
        for ended in response.ended:
            self.hear(ended.result)
        return sent

    def decide(self, request: DecisionRequest) -> list[bytes]:
        """Return the answer to *request*, and what else the behaviour sends with it."""
        self.asked += 1
        action = self.rng.choice(request.legal_actions)
        for name, number in self.tricks.items():
            if name in TRICKS and number in (0, self.asked):
                return TRICKS[name](request, action)
        return [decision(request, action)]

    def hear(self, result: object) -> None:
        """Write down what was told at the end."""
        if self.tell is not None:
            self.tell.write_text("\n".join([*self.refused, f"{result}asked: {self.asked}"]))


def decision(request: DecisionRequest, *actions: Action, **changes: object) -> bytes:
    """Return the bytes of a decision; *changes* spoil some of its fields."""
    fields = {"table_id": request.table_id, "seat": request.seat, "request_id": request.request_id} | changes
    return PlayRequest(decisions=[{**fields, "actions": actions}]).SerializeToString()


def exit_now(request: DecisionRequest, action: Action) -> list[bytes]:
    """End the process at once."""
    print("bye", file=sys.stderr, flush=True)
    os._exit(7)


def freeze(request: DecisionRequest, action: Action) -> list[bytes]:
    """Stop the process, as a debugger would."""
    os.kill(os.getpid(), signal.SIGSTOP)
    return [decision(request, action)]


def dawdle(request: DecisionRequest, action: Action) -> list[bytes]:
    """Answer too late."""
    time.sleep(2)
    return [decision(request, action)]


def dawdle_illegally(request: DecisionRequest, action: Action) -> list[bytes]:
    """Answer too late, and with what is not allowed."""
    time.sleep(2)
    return [decision(request, ILLEGAL)]


def abort(request: DecisionRequest, action: Action) -> list[bytes]:
    """End by a signal of the process itself."""
    os.abort()


def steer(request: DecisionRequest, action: Action) -> list[bytes]:
    """Say something that would clear a terminal, and end."""
    os.write(2, b"\x1b[2J\x1b[1;1Hgone\n")
    os._exit(1)


def knock(request: DecisionRequest, action: Action) -> list[bytes]:
    """Open two hundred connections that say nothing, and hold them."""
    path = os.environ["HANDFOOT_ADDRESS"].removeprefix("unix:")
    for _ in range(200):
        held = socket.socket(socket.AF_UNIX)
        held.connect(path)
        HELD.append(held)
    return [decision(request, action)]


HELD: list[socket.socket] = []


class Dropped(Exception):
    """The stream is to be dropped."""


def drop(request: DecisionRequest, action: Action) -> list[bytes]:
    """Drop the stream instead of answering."""
    raise Dropped


def flood(request: DecisionRequest, action: Action) -> list[bytes]:
    """Write 100 MB to each output."""
    line = b"x" * 1023 + b"\n"
    for output in (1, 2):
        with open(output, "wb", closefd=False) as pipe:
            for _ in range(100):
                pipe.write(line * 1024)
    os.write(2, b"the end of the flood\n")
    return [decision(request, action)]


def leave_a_child(request: DecisionRequest, action: Action) -> list[bytes]:
    """Start a process that would live for a long time."""
    subprocess.Popen(["/bin/sleep", str(600 + os.getpid() / 1e7)])
    return [decision(request, action)]


def hog(request: DecisionRequest, action: Action) -> list[bytes]:
    """Use 800 MB of memory, and stay so."""
    block = [bytearray(os.urandom(1 << 20)) * 50 for _ in range(16)]
    time.sleep(60 + len(block))
    return [decision(request, action)]


def multiply(request: DecisionRequest, action: Action) -> list[bytes]:
    """Start forty processes in sessions of their own."""
    for _ in range(40):
        subprocess.Popen(["/bin/sleep", "600"], start_new_session=True)
    time.sleep(60)
    return [decision(request, action)]


def burn(request: DecisionRequest, action: Action) -> list[bytes]:
    """Start a process that is busy for ever."""
    subprocess.Popen([sys.executable, "-c", "while True: pass"])
    return [decision(request, action)]


def discard(request: DecisionRequest) -> Action:
    """Return the discard of a card that the seat holds, which is not allowed before it has drawn."""
    return Action(discard={"card": request.observation.private.holding[0]})


ILLEGAL = Action(answer_partner={"agree": True})

TRICKS: dict[str, Callable[[DecisionRequest, Action], list[bytes]]] = {
    "exit": exit_now,
    "freeze": freeze,
    "dawdle": dawdle,
    "dawdle-illegally": dawdle_illegally,
    "abort": abort,
    "steer": steer,
    "knock": knock,
    "drop": drop,
    "flood": flood,
    "leave-a-child": leave_a_child,
    "hog": hog,
    "multiply": multiply,
    "burn": burn,
    "illegal": lambda request, action: [decision(request, ILLEGAL)],
    "illegal-card": lambda request, action: [decision(request, discard(request))],
    "illegal-in-batch": lambda request, action: [decision(request, action, ILLEGAL, ILLEGAL)],
    "garbage": lambda request, action: [b"\xff\xfe garbage", decision(request, action)],
    "only-garbage": lambda request, action: [b"\xff\xfe garbage"] * 10,
    "half": lambda request, action: [decision(request, action)[:-3], decision(request, action)],
    "huge": lambda request, action: [bytes(50 << 20), decision(request, action)],
    "wrong-id": lambda request, action: [
        decision(request, action, request_id=999),
        decision(request, action),
    ],
    "wrong-table": lambda request, action: [
        decision(request, action, table_id="x"),
        decision(request, action),
    ],
    "wrong-seat": lambda request, action: [decision(request, action, seat=request.seat ^ 1)],
    "twice": lambda request, action: [decision(request, action)] * 2,
    "no-actions": lambda request, action: [decision(request)],
    "stuffed": lambda request, action: [PlayRequest(decisions=[{}] * 400_000).SerializeToString()] * 10,
    "spam": lambda request, action: [decision(request, action, request_id=0)] * 2000,
}


WILD = sorted(set(TRICKS) - {"hog", "multiply", "burn"})
"""What a wild bot may do; what takes the whole machine is tried by itself."""


async def main() -> None:
    """Play until the referee closes the stream."""
    words = sys.argv[1:]
    tell = Path(words[1]) if words[:1] == ["--tell"] else None
    found = (word.partition("@") for word in (words[2:] if tell else words))
    tricks = {name: int(number or 0) for name, _, number in found}
    if "wild" in tricks and random.SystemRandom().random() < 0.2:
        tricks[random.SystemRandom().choice(WILD)] = random.SystemRandom().randint(1, 30)
    if "exit-at-once" in tricks:
        print("cannot find my brain", file=sys.stderr)
        sys.exit(3)
    if "never-hello" in tricks:
        await asyncio.sleep(600)
    await asyncio.sleep(tricks.get("slow-start", 0))
    bot = StubBot(tricks, tell)
    while True:
        try:
            return await talk(bot)
        except Dropped:
            await asyncio.sleep(tricks.get("stay-away", 0))


async def talk(bot: StubBot) -> None:
    """Play over one stream."""
    async with grpc.aio.insecure_channel(os.environ["HANDFOOT_ADDRESS"]) as channel:
        call = channel.stream_stream(PLAY)()
        await call.write(bot.hello().SerializeToString())
        while (data := await call.read()) is not grpc.aio.EOF:
            for message in bot.answer(PlayResponse.FromString(data)):
                await call.write(message)


if __name__ == "__main__":
    asyncio.run(main())
