"""What the user's own files say: settings and personas."""

from __future__ import annotations

from rony_desktop.contract.error.root import Action, RonyError


class ConfigError(RonyError):
    """The configuration cannot be used."""

    code = "config"
    sentence = "The configuration cannot be used: {detail}."
    remedy = "Correct it and start again."
    action = Action.OPEN_CONFIG


class ConfigUnreadable(ConfigError):
    """A file is not readable YAML; where is line and column, or the system's reason."""

    code = "config.unreadable"
    sentence = "{file} cannot be read ({where})."
    remedy = "Correct the file, or move it away; defaults are used until then."


class ConfigValue(ConfigError):
    """One value is wrong."""

    code = "config.value"
    sentence = "{key} in {file} is {value}; expected {expected}."
    remedy = "Correct the value; the default is used until then."


class WorkspaceConfigIgnored(ConfigError):
    """./rony.yaml is there and was not read: the folder is not trusted."""

    code = "config.ignored"
    sentence = "{file} was ignored: its folder is not trusted."
    remedy = "Start with --trust to use it."
    action = Action.NONE


class PersonaError(RonyError):
    """A persona cannot be loaded."""

    code = "persona"
    sentence = "loading persona {name!r}: {detail}."
    remedy = "Correct its file, or choose another persona."
    action = Action.OPEN_CONFIG
