"""In which form a model is offered tools, by how well it called them in each."""

from __future__ import annotations

from rony_desktop.contract.check import ToolMode, ToolScore

# The part of the native replies that has to be right for the envelope not to be tried at all.
GOOD = 0.75
# The part that has to be right natively, and readable in the envelope, to be of use.
LEAST = 0.5


def good(native: ToolScore | None) -> bool:
    """Whether a model calls tools so well natively that nothing else needs to be tried."""
    return native is not None and _part(native.right, native) >= GOOD


def chosen(native: ToolScore | None, envelope: ToolScore | None) -> ToolMode:
    """The form to use: native where it is good, or useful and no worse than the envelope.

    Else the envelope, where enough of it can be read: the loop repairs a wrong call, and an agent
    that calls now and then is of more use than none. Else whatever is useful, or nothing.
    """
    useful = native is not None and _part(native.right, native) >= LEAST
    readable = envelope is not None and _part(envelope.readable, envelope) >= LEAST
    if good(native):
        return ToolMode.NATIVE
    if readable and not (useful and _better(native, envelope)):
        return ToolMode.ENVELOPE
    return ToolMode.NATIVE if useful else ToolMode.NONE


def _better(native: ToolScore | None, envelope: ToolScore | None) -> bool:
    """Whether native is at least as often right."""
    if native is None or envelope is None:
        return native is not None
    return _part(native.right, native) >= _part(envelope.right, envelope)


def _part(count: int, score: ToolScore) -> float:
    return count / score.tried if score.tried else 0.0
