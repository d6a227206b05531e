"""The referee: matches between bots that it starts or lets in, over gRPC."""

import os
from typing import Final

GRPC_EXPERIMENTS: Final = "-event_engine_client,-event_engine_listener"
"""
gRPC without its event engine: a message costs a fifth less [ADR 0015]. gRPC reads this once, when it is imported, and
so it is set before any module of this package is. What the environment says already stays.
"""

os.environ.setdefault("GRPC_EXPERIMENTS", GRPC_EXPERIMENTS)
