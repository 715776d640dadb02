"""The error tree. Every error has a code, parameters, an English sentence and a remedy.

RonyError
  ToolError            ToolNotFoundError ToolDeniedError ToolTimeoutError ToolArgumentsError
                       ToolFileError ToolChangedError ResultMissing ToolRegistryError
                       WorkspaceMissing ToolReplyError
  SandboxViolationError (also PermissionError)
  LimitError
  ProviderError        ProviderUnavailable (ProviderLoading) ProviderRefused ContextOverflow
                       StreamBroken EmptyAnswer
  EngineError          BinaryNotFound BinaryMissing BinaryUnusable EngineNotReady EngineStopped
                       EngineHung
    EngineDied         EngineKilled EngineUnsuited EngineOutOfMemory EnginePortTaken
                       EngineFlagUnknown
  ModelFileError       ModelUnknown NoModel ModelMissing ModelForeign ModelCut ModelArchitecture
                       NotAChatModel
  PlanError, BenchmarkError
  ConfigError          ConfigUnreadable ConfigValue WorkspaceConfigIgnored
  PersonaError
  SessionError         SessionMissing SessionForeign SessionTorn SessionBusy
  StorageError         DiskFull FolderUnwritable OutsideFolder (also PermissionError)

One file on purpose, though a long one: the tree is read and searched as a whole.

str(error) is the English sentence for the command line and the log. The window translates code and
parameters (ui/error.py) and never shows str(error).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar


class Action(StrEnum):
    """What the one button of an error card does."""

    NONE = ""
    RETRY = "retry"
    CHOOSE_MODEL = "choose_model"
    NEW_CHAT = "new_chat"
    OPEN_LOG = "open_log"
    OPEN_CONFIG = "open_config"
    OPEN_DATA = "open_data"


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as a value: what events, sessions and the window carry."""

    code: str
    params: Mapping[str, str] = field(default_factory=dict)

    def error(self) -> RonyError:
        """This value as an error that can be raised."""
        return error_class(self.code)(**self.params)

    def __str__(self) -> str:
        """The English sentence and remedy, for the command line and the log."""
        kind = error_class(self.code)
        return f"{fill(kind.sentence, self.params)} {fill(kind.remedy, self.params)}".strip()


class RonyError(Exception):
    """Root of the tree; subclasses set code, sentence and remedy, callers give the parameters."""

    code: ClassVar[str] = "error"
    sentence: ClassVar[str] = "Something went wrong: {detail}."
    remedy: ClassVar[str] = "Try again; the log says more."
    action: ClassVar[Action] = Action.RETRY

    def __init__(self, **params: object) -> None:
        self.params = {name: str(value) for name, value in params.items()}
        super().__init__(params)

    def __str__(self) -> str:
        return str(self.failure())

    def failure(self) -> Failure:
        """This error as a value."""
        return Failure(self.code, self.params)


def fill(template: str, params: Mapping[str, str]) -> str:
    """Put parameters into a template; one that is missing shows as its name."""
    return template.format_map(_Named(params))


class _Named(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return key


def error_classes() -> Iterator[type[RonyError]]:
    """Every class of the tree, the root first."""
    pending = [RonyError]
    while pending:
        kind = pending.pop(0)
        yield kind
        pending.extend(kind.__subclasses__())


def error_class(code: str) -> type[RonyError]:
    """The class of a code; the root where the code is unknown (a file of a newer version)."""
    return next((kind for kind in error_classes() if kind.code == code), RonyError)


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


class ProviderError(RonyError):
    """A model server did not answer as it should."""

    code = "provider"
    sentence = "The model server answered with an error: {detail}."


class ProviderUnavailable(ProviderError):
    """Nobody answers, or the connection broke before the answer began."""

    code = "provider.unavailable"
    sentence = "The model server cannot be reached ({detail})."
    remedy = "It is started again if it is ours; try once more."


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


class EngineError(RonyError):
    """The local engine failed."""

    code = "engine"
    sentence = "The engine failed: {detail}."
    action = Action.OPEN_LOG


class BinaryNotFound(EngineError):
    """No candidate could run a model here; tried names them with the reason."""

    code = "engine.not_found"
    sentence = "No engine on this computer can run a model ({tried})."
    remedy = "Set llama.binary_path to a llama-server that runs here."
    action = Action.OPEN_CONFIG


class BinaryMissing(EngineError):
    """The engine the user configured is not there."""

    code = "engine.binary_missing"
    sentence = "The configured engine {path} is not there."
    remedy = "Correct llama.binary_path, or remove it to use the engine of the program."
    action = Action.OPEN_CONFIG


class BinaryUnusable(EngineError):
    """A program that should be the engine cannot be run, or fails its trial."""

    code = "engine.binary_unusable"
    sentence = "{path} cannot be used as the engine: {detail}."
    remedy = "Correct llama.binary_path, or remove it to use the engine of the program."
    action = Action.OPEN_CONFIG


class EngineNotReady(EngineError):
    """The engine lives but did not become ready in time."""

    code = "engine.not_ready"
    sentence = "The engine did not become ready within {seconds} s."
    remedy = "Close other programs or choose a smaller model."
    action = Action.CHOOSE_MODEL


class EngineStopped(EngineError):
    """The engine is not running."""

    code = "engine.stopped"
    sentence = "The engine is not running."
    remedy = "Try again to start it."
    action = Action.RETRY


class EngineHung(EngineError):
    """The engine is alive and does not answer."""

    code = "engine.hung"
    sentence = "The engine stopped answering and is being started again."
    remedy = "What came so far is kept; try again."
    action = Action.RETRY


class EngineDied(EngineError):
    """The engine ended; detail is the first line it gave as the cause."""

    code = "engine.died"
    sentence = "The engine ended unexpectedly ({detail})."
    remedy = "It is started again; if this repeats, choose a smaller model."
    action = Action.RETRY


class EngineKilled(EngineDied):
    """The engine was killed from outside (signal 9), most often for want of memory."""

    code = "engine.killed"
    sentence = "The engine was ended by the system or by another program."
    remedy = "It is started again; if this repeats, memory is short: choose a smaller model."


class EngineUnsuited(EngineDied):
    """The engine was built for another CPU (illegal instruction)."""

    code = "engine.unsuited"
    sentence = "This engine was not built for this computer's processor ({binary})."
    remedy = "Set llama.binary_path to a build for this processor."
    action = Action.OPEN_CONFIG


class EngineOutOfMemory(EngineDied):
    """The engine could not allocate what the model needs."""

    code = "engine.out_of_memory"
    sentence = "There is not enough memory for {model} ({detail})."
    remedy = "Choose a smaller model, or close other programs."
    action = Action.CHOOSE_MODEL


class EnginePortTaken(EngineDied):
    """The port or socket the user set is in use."""

    code = "engine.port_taken"
    sentence = "Another program already uses the engine's address ({address})."
    remedy = "Remove llama.models.main.port, or choose another."
    action = Action.OPEN_CONFIG


class EngineFlagUnknown(EngineDied):
    """The engine refuses a flag: it is too old or too new."""

    code = "engine.flag_unknown"
    sentence = "This engine does not know an option it was given ({detail})."
    remedy = "Use another engine build."
    action = Action.OPEN_CONFIG


class ModelFileError(RonyError):
    """A model file cannot be used; path names it."""

    code = "model"
    sentence = "The model {path} cannot be used: {detail}."
    remedy = "Choose another model."
    action = Action.CHOOSE_MODEL


class ModelUnknown(ModelFileError):
    """No model has this name."""

    code = "model.unknown"
    sentence = "There is no model named {name!r}."
    remedy = "Known models: {known}."


class NoModel(ModelFileError):
    """There is no model at all yet."""

    code = "model.none"
    sentence = "There is no model on this computer yet."
    remedy = "Choose a GGUF file, or put one into {folder}."


class ModelMissing(ModelFileError):
    """The file is not there, or not a file that can be read."""

    code = "model.missing"
    sentence = "The model file {path} cannot be read: {detail}."
    remedy = "Choose where it is now, or another model."


class ModelForeign(ModelFileError):
    """The file is something else than GGUF."""

    code = "model.foreign"
    sentence = "{path} is not a model file: {detail}."
    remedy = "Choose a file in the GGUF format."


class ModelCut(ModelFileError):
    """The file ends too early or contradicts itself."""

    code = "model.cut"
    sentence = "The model file {path} is incomplete or damaged: {detail}."
    remedy = "Get the file again, or choose another model."


class ModelArchitecture(ModelFileError):
    """The engine does not know this kind of model."""

    code = "model.architecture"
    sentence = "The engine does not know this kind of model ({detail})."
    remedy = "Use a newer engine, or choose another model."


class NotAChatModel(ModelFileError):
    """A base model: it has no chat template."""

    code = "model.not_chat"
    sentence = "{path} is not a chat model: it has no chat template."
    remedy = "Choose a model whose name says instruct or chat."


class PlanError(RonyError):
    """What is wanted of a launch contradicts itself."""

    code = "plan"
    sentence = "No engine starts {model} like this: {detail}."
    remedy = "Leave out one of the two."
    action = Action.NONE


class BenchmarkError(RonyError):
    """The speed of a model cannot be measured."""

    code = "benchmark"
    sentence = "The speed could not be measured: {detail}."
    remedy = "Try another model."


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


class SessionError(RonyError):
    """A chat cannot be read or written."""

    code = "session"
    sentence = "The chat {session} cannot be used: {detail}."
    remedy = "Start a new chat."
    action = Action.NEW_CHAT


class SessionMissing(SessionError):
    """There is no such chat."""

    code = "session.missing"
    sentence = "There is no chat {session}."


class SessionForeign(SessionError):
    """The file was not written by this program, or by a newer version; it was left or set aside."""

    code = "session.foreign"
    sentence = "The chat file {file} is not in a form this version reads ({detail})."
    remedy = "It is kept beside the others as it is."


class SessionTorn(SessionError):
    """Lines could not be read and were skipped; everything else is there."""

    code = "session.torn"
    sentence = "{count} unreadable line(s) in the chat {session} were skipped."
    remedy = "Everything else is there."
    action = Action.NONE


class SessionBusy(SessionError):
    """Another program writes this chat."""

    code = "session.busy"
    sentence = "The chat {session} is in use by another window or program."
    remedy = "Close it there first."
    action = Action.RETRY


class StorageError(RonyError):
    """Something could not be kept on disk."""

    code = "storage"
    sentence = "{path} could not be written: {detail}."
    remedy = "Nothing was sent; what you typed is still there."
    action = Action.RETRY


class DiskFull(StorageError):
    """There is no room left."""

    code = "storage.full"
    sentence = "The disk that holds {path} is full."
    remedy = "Free some space and try again; what you typed is still there."


class FolderUnwritable(StorageError):
    """The data folder cannot be written."""

    code = "storage.unwritable"
    sentence = "The folder {path} cannot be written ({detail})."
    remedy = "Give yourself write access to it and start again."
    action = Action.OPEN_DATA


class StorageUnreadable(StorageError):
    """What the program kept is damaged, or of a newer version; detail says what became of it."""

    code = "storage.unreadable"
    sentence = "{path} cannot be read: {detail}."
    remedy = "The program goes on without it."
    action = Action.OPEN_DATA


class OutsideFolder(StorageError, PermissionError):
    """A path of the program's own leads out of its folder."""

    code = "storage.outside"
    sentence = "{path!r} leads out of {folder}."
    remedy = "Use a name without separators."
    action = Action.NONE
