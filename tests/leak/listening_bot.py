"""
A bot for tests that writes down all it can know: ``listening_bot.py FILE NAME [LAST]``.

FILE gets its environment, its command line and every message it received. It plays the last legal action it is sent;
with LAST it ends in the middle of the match and says so on standard error.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

import grpc
from handfoot.v1.referee_service_pb2 import Decision, Hello, PlayRequest, PlayResponse, Ready

PLAY = "/handfoot.v1.RefereeService/Play"
ENDS_AT = 6
"""The request at which a bot ends that is to end."""


def reply(response: PlayResponse) -> PlayRequest:
    """Return the answer to a message; nothing in it where none is wanted."""
    ready = [Ready(table_id=seated.table_id) for seated in response.seated]
    decisions = [
        Decision(
            table_id=request.table_id,
            seat=request.seat,
            request_id=request.request_id,
            actions=[request.legal_actions[-1]],
        )
        for request in response.requests
    ]
    return PlayRequest(ready=ready, decisions=decisions)


async def main(told: Path, name: str, last_words: str) -> None:
    """Play until the referee closes the stream."""
    heard: list[str] = []
    async with grpc.aio.insecure_channel(os.environ["HANDFOOT_ADDRESS"]) as channel:
        call = channel.stream_stream(PLAY)()
        hello = Hello(
            token=os.environ["HANDFOOT_TOKEN"],
            name=f"greeted-as-{name}",
            version=f"{name}-version",
            language=f"{name}-language",
            protocol_versions=[1],
        )
        await call.write(PlayRequest(hello=hello).SerializeToString())
        while (data := await call.read()) is not grpc.aio.EOF:
            heard.append(data.hex())
            told.write_text(
                json.dumps({"environment": dict(os.environ), "command": sys.argv, "heard": heard})
            )
            response = PlayResponse.FromString(data)
            if last_words and any(request.request_id == ENDS_AT for request in response.requests):
                print(last_words, file=sys.stderr, flush=True)
                os._exit(9)
            answer = reply(response)
            if answer.ready or answer.decisions:
                await call.write(answer.SerializeToString())


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], " ".join(sys.argv[3:])))
