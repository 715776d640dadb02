"""Models from elsewhere: what a hub refuses, and downloads that cannot be finished."""

from __future__ import annotations

from rony_desktop.contract.error.root import Action, RonyError


class HubError(RonyError):
    """A hub of models did not answer as it should."""

    code = "hub"
    sentence = "{host} answered with an error: {detail}."
    remedy = "Try again later."


class HubUnreachable(HubError):
    """Nobody answers, or the connection broke; it is worth trying again."""

    code = "hub.unreachable"
    sentence = "{host} cannot be reached: {detail}."
    remedy = "Check the connection and the proxy, then try again."


class HubSilent(HubUnreachable):
    """The connection stands, and nothing comes."""

    code = "hub.silent"
    sentence = "{host} has sent nothing for {seconds} s."
    remedy = "Try again in a moment."


class HubDown(HubUnreachable):
    """The server has trouble of its own; status is the HTTP status."""

    code = "hub.down"
    sentence = "{host} has trouble of its own ({status})."
    remedy = "Try again later."


class HubBusy(HubError):
    """The hub was asked too often; seconds are what it wants to be left alone for."""

    code = "hub.busy"
    sentence = "{host} was asked too often and wants a pause of {seconds} s."
    remedy = "Wait that long; a token raises the limit."


class HubOffline(HubError):
    """Offline mode is on."""

    code = "hub.offline"
    sentence = "Offline mode is on: {host} was not contacted."
    remedy = "Switch offline mode off (network.offline) to look for models and to get them."
    action = Action.OPEN_CONFIG


class HubUntrusted(HubError):
    """The server's certificate is signed by nobody this computer trusts."""

    code = "hub.untrusted"
    sentence = "The certificate of {host} is not trusted: {detail}."
    remedy = "Where your network has a certificate of its own, set network.ca_file to it."
    action = Action.OPEN_CONFIG


class HubGated(HubError):
    """The model is given only to those who accepted its licence."""

    code = "hub.gated"
    sentence = "{model} is given only to those who accepted its licence."
    remedy = "Accept it on {page}, set HF_TOKEN to a token of your account, and start again."


class HubUnauthorised(HubError):
    """The token is not valid, or the model is private or does not exist."""

    code = "hub.unauthorised"
    sentence = "{host} does not let us see this: the token is missing or not valid."
    remedy = "Check the name of the model, and HF_TOKEN."


class HubMissing(HubError):
    """There is no such model, file or revision."""

    code = "hub.missing"
    sentence = "{host} has nothing at {path}."
    remedy = "It may have been renamed or taken back; search for it again."


class HubWithheld(HubError):
    """The hub tells nothing of some models that were downloaded from it; models are their ids."""

    code = "hub.withheld"
    sentence = "The hub does not tell what it has of {models}."
    remedy = "That may have been renamed or taken back, or needs a token (HF_TOKEN)."


class QuantUnknown(HubError):
    """A model has nothing of that name to download; known are those it has."""

    code = "hub.quant"
    sentence = "{model} has no {quant} to download; it has: {known}."
    remedy = "Choose one of those, or another model."


class HubForeign(HubError):
    """The answer is not what a hub sends: a login page, broken JSON, a path that leads away."""

    code = "hub.foreign"
    sentence = "What {host} sent is not what a model hub sends: {detail}."
    remedy = "Perhaps this network wants you to sign in first; open a web page to see."


class DownloadError(RonyError):
    """A download cannot be finished; name is the file's."""

    code = "download"
    sentence = "{name} could not be downloaded: {detail}."


class DownloadFull(DownloadError):
    """The disk has no room for it, the part that is left free counted in."""

    code = "download.full"
    sentence = "There is not enough room for {name}: {need} needed, {free} free in {folder}."
    remedy = "Delete a model you do not use, then resume; what came so far is kept."
    action = Action.OPEN_DATA


class DownloadUnwritable(DownloadError):
    """The folder or the file cannot be written."""

    code = "download.unwritable"
    sentence = "{path} cannot be written: {detail}."
    remedy = "Choose another folder for models, or give yourself write access; then resume."
    action = Action.OPEN_DATA


class DownloadHeld(DownloadError):
    """All of it came, and the file it replaces cannot be: some systems hold what is in use."""

    code = "download.held"
    sentence = "{name} is here, but cannot take the place of the one before it: {detail}."
    remedy = (
        "Where that model is in use, go over to another, then resume; nothing is fetched again."
    )


class ChecksumMismatch(DownloadError):
    """Everything came and is not the file the hub announced; nothing of it is kept."""

    code = "download.checksum"
    sentence = "What came of {name} is not what the hub announced ({detail})."
    remedy = "Try again later, or from another address (hub.mirror)."


class UpstreamChanged(DownloadError):
    """The file was replaced while it was being downloaded."""

    code = "download.changed"
    sentence = "{name} was replaced on the hub, so it is fetched from its beginning."
    remedy = "Nothing needs to be done."
    action = Action.NONE


class DownloadStalled(DownloadError):
    """It stopped coming too often; what came is kept."""

    code = "download.stalled"
    sentence = "{name} stopped coming, and {attempts} attempts did not help: {detail}."
    remedy = "Resume it when the connection is better; what came so far is kept."


class DownloadBusy(DownloadError):
    """Another window or program downloads the same file."""

    code = "download.busy"
    sentence = "{name} is being downloaded by another window or program."
    remedy = "Wait until it is done there."
