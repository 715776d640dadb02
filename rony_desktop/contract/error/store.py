"""What is kept: chats, folders, disks."""

from __future__ import annotations

from rony_desktop.contract.error.root import Action, RonyError


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
