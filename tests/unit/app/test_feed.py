"""The feed tells everyone who listens, and nobody else."""

from __future__ import annotations

from rony_desktop.app.feed import Feed
from rony_desktop.contract.event import FeedEvent, SessionChanged


def test_listeners_hear_until_they_leave() -> None:
    feed = Feed()
    heard: list[FeedEvent] = []
    leave = feed.listen(heard.append)
    feed.publish(SessionChanged("a"))
    leave()
    feed.publish(SessionChanged("b"))
    assert heard == [SessionChanged("a")]


def test_a_listener_may_leave_while_it_is_told() -> None:
    feed = Feed()
    heard: list[str] = []
    leave = feed.listen(lambda _: (heard.append("first"), leave())[0])
    feed.listen(lambda _: heard.append("second"))
    feed.publish(SessionChanged("a"))
    feed.publish(SessionChanged("a"))
    assert heard == ["first", "second", "second"]
