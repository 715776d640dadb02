"""Tools, and the sandbox and limits they run in."""

from __future__ import annotations

from rony_desktop.contract.error.root import Action, RonyError


class ToolError(RonyError):
    """A tool could not be run."""

    code = "tool"


class ToolNotFoundError(ToolError):
    """The model asked for a tool that does not exist."""

    code = "tool.not_found"
    sentence = "tool not found: {name!r}."
    remedy = "Use one of: {known}."


class ToolDeniedError(ToolError):
    """The user or the policy refused."""

    code = "tool.denied"
    sentence = "{name} was not run: {detail}."
    remedy = ""
    action = Action.NONE


class ToolTimeoutError(ToolError):
    """A tool ran longer than it may."""

    code = "tool.timeout"
    sentence = "{name} was stopped after {seconds} s."
    remedy = "Ask for less at once."


class ToolArgumentsError(ToolError):
    """Arguments do not fit the schema."""

    code = "tool.arguments"
    sentence = "The arguments of {name} are wrong: {detail}."
    remedy = "Send them as its schema says."


class ToolReplyError(ToolError):
    """A reply, or the arguments of a call, are not the JSON they should be."""

    code = "tool.reply"
    sentence = "The model's reply cannot be read: {detail}."
    remedy = "Try again, or put the question another way."


class ToolFileError(ToolError):
    """A file tool could not do what was asked: missing, not text, no such place in it."""

    code = "tool.file"
    sentence = "{path}: {detail}."
    remedy = ""
    action = Action.NONE


class ToolChangedError(ToolError):
    """A file is not what it was when the change was shown."""

    code = "tool.changed"
    sentence = "{path} was changed by someone else after this was shown; nothing was written."
    remedy = "Read it again, then ask again."
    action = Action.NONE


class ResultMissing(ToolError):
    """A stored result is not there any more."""

    code = "tool.result_missing"
    sentence = "there is no stored result {id!r}."
    remedy = "Run the tool again."
    action = Action.NONE


class ToolRegistryError(ToolError):
    """A tool cannot be registered: its name is taken or not portable."""

    code = "tool.registry"
    sentence = "The tool {name!r} cannot be registered: {detail}."
    remedy = ""
    action = Action.NONE


class WorkspaceMissing(ToolError):
    """The folder a chat works in cannot be opened."""

    code = "tool.workspace"
    sentence = "The folder {path} of this chat cannot be opened: {detail}."
    remedy = "Choose another folder for this chat, or none."
    action = Action.NONE


class SandboxViolationError(RonyError, PermissionError):
    """A path leads out of the allowed roots, or names what may not be opened."""

    code = "sandbox.outside"
    sentence = "path outside allowed roots: {path!r} ({detail})."
    remedy = "Use a path inside the chosen folder."
    action = Action.NONE


class LimitError(RonyError):
    """A limit of the loop was reached; reason is a StopReason."""

    code = "limit"
    sentence = "The limit {reason} was reached ({value})."
    remedy = "Send another message to go on."
    action = Action.NONE
