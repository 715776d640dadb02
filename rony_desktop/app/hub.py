"""Makes the hub that the configuration and the environment name."""

from __future__ import annotations

from collections.abc import Mapping

from rony_desktop.app.web import HttpWeb
from rony_desktop.contract.config import Config
from rony_desktop.contract.port import Web
from rony_desktop.model.access import Site
from rony_desktop.model.hub import ENDPOINT, HuggingFaceHub
from rony_desktop.redact import hold

ENDPOINT_VARIABLE = "HF_ENDPOINT"
TOKEN_VARIABLE = "HF_TOKEN"  # noqa: S105 - a name


def create_hub(
    config: Config, environment: Mapping[str, str], web: Web | None = None
) -> HuggingFaceHub:
    """The hub; nothing is sent. Its token is held from every log."""
    token = environment.get(TOKEN_VARIABLE, "").strip()
    hold(token)
    if not (token.isascii() and token.isprintable()):
        token = ""  # no request can carry it; the hub says what it takes it for
    endpoint = config.hub.endpoint or environment.get(ENDPOINT_VARIABLE, "") or ENDPOINT
    site = Site(endpoint.strip().rstrip("/"), config.hub.mirror.strip().rstrip("/"), token)
    return HuggingFaceHub(web or HttpWeb(), site)
