"""Providers: what a model server refuses, breaks off or leaves out."""

from __future__ import annotations

from rony_desktop.contract.error.root import Action, RonyError


class ProviderError(RonyError):
    """A model server did not answer as it should."""

    code = "provider"
    sentence = "The model server answered with an error: {detail}."


class ProviderUnavailable(ProviderError):
    """Nobody answers, or the connection broke before the answer began."""

    code = "provider.unavailable"
    sentence = "The model server cannot be reached ({detail})."
    remedy = "It is started again if it is ours; try once more."


class NetworkOffline(ProviderUnavailable):
    """Offline mode is on, and host is another machine."""

    code = "network.offline"
    sentence = "Offline mode is on: {host} was not contacted."
    remedy = "Switch offline mode off (network.offline) to use it."
    action = Action.OPEN_CONFIG


class ProviderLoading(ProviderUnavailable):
    """The server is there but still loads the model."""

    code = "provider.loading"
    sentence = "The model is still loading."
    remedy = "Wait a moment and try again."


class ProviderRefused(ProviderError):
    """The server understood and refused; status is the HTTP status."""

    code = "provider.refused"
    sentence = "The model server refused the request ({status}): {detail}."
    remedy = "Check the key and the model's name in the settings."
    action = Action.OPEN_CONFIG


class ContextOverflow(ProviderError):
    """The conversation does not fit the context window; counts are tokens."""

    code = "provider.overflow"
    sentence = "This chat needs {needed} tokens and the model's context holds {limit}."
    remedy = "Start a new chat, or choose a model with a larger context."
    action = Action.NEW_CHAT


class StreamBroken(ProviderError):
    """The answer stopped in the middle: the connection ended or fell silent."""

    code = "provider.broken"
    sentence = "The answer broke off: {detail}."
    remedy = "What came so far is kept; try again."


class EmptyAnswer(ProviderError):
    """The model ended without a word and without a tool call."""

    code = "provider.empty"
    sentence = "The model ended its answer without a word."
    remedy = "Try again, or put the question another way."
