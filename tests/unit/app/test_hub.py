from __future__ import annotations

import pytest

from rony_desktop.app.hub import create_hub
from rony_desktop.contract.config import Config, HubConfig
from rony_desktop.contract.error import HubError
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.hub import HubFile
from rony_desktop.redact import redact, release
from tests.fake.web import FakeAnswer, FakeWeb

FILE = HubFile("a/b", "m.gguf", 1, "", "c0")


@pytest.mark.parametrize(
    ("config", "environment", "address"),
    [
        (HubConfig(), {}, "https://huggingface.co/"),
        (HubConfig(), {"HF_ENDPOINT": "https://e.test/"}, "https://e.test/a"),
        (
            HubConfig(endpoint="https://c.test"),
            {"HF_ENDPOINT": "https://e.test"},
            "https://c.test/",
        ),
        (HubConfig(mirror="https://m.test/"), {}, "https://m.test/a"),
    ],
)
def test_the_address_is_the_one_that_was_set(
    config: HubConfig, environment: dict[str, str], address: str
) -> None:
    web = FakeWeb({"": FakeAnswer(body=b"x")})
    with create_hub(Config(hub=config), environment, web).fetch(FILE, 0, Halt()):
        pass
    assert web.asked[0][0].startswith(address)


@pytest.mark.parametrize("token", ["hf_\u2022\u2022\u2022", "hf_a\nb"])
def test_a_token_that_no_request_can_carry_is_not_sent(token: str) -> None:
    web = FakeWeb({"": FakeAnswer(body=b"x")})
    with create_hub(Config(), {"HF_TOKEN": token}, web).fetch(FILE, 0, Halt()):
        pass
    release(token)
    ((_, headers),) = web.asked
    assert "Authorization" not in headers


@pytest.mark.parametrize("address", ["http://[bad", "http://h:99999999"])
async def test_an_address_that_is_none_is_an_error_of_the_hub(address: str) -> None:
    hub = create_hub(Config(), {"HF_ENDPOINT": address, "HF_TOKEN": "hf_secret_of_a_test"})
    release("hf_secret_of_a_test")
    with pytest.raises(HubError, match="cannot be used"):
        await hub.search("m", 20)


def test_the_token_is_kept_out_of_logs() -> None:
    create_hub(Config(), {"HF_TOKEN": "hf_secret_of_a_test"})
    assert redact("Bearer hf_secret_of_a_test") == "Bearer ***"
    release("hf_secret_of_a_test")
