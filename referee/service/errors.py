"""
The errors of the referee service.

    ServiceError
    ├─ InvalidTime          a time control that cannot be read: the operator is wrong
    ├─ BrokenMessage        a message that cannot be read or answers what was not asked: the bot is broken
    └─ HostError            the referee cannot listen or start: the machine or its settings are wrong
       └─ IsolationMissing  bots cannot be kept apart as wanted: the owner of the machine can change that
"""


class ServiceError(Exception):
    """Anything that the referee service refuses."""


class InvalidTime(ServiceError):
    """A time control that cannot be read or makes no sense."""


class BrokenMessage(ServiceError):
    """A message of a bot that cannot be read; its text names the field."""


class HostError(ServiceError):
    """The referee cannot do its work on this machine."""


class IsolationMissing(HostError):
    """Bots cannot be kept apart on this machine as they were to be."""
