"""The engine: what keeps it from starting, and how it ends."""

from __future__ import annotations

from rony_desktop.contract.error.root import Action, RonyError


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


class EngineBusy(EngineError):
    """An answer is being written, and what was asked for needs the engine for itself."""

    code = "engine.busy"
    sentence = "An answer is being written."
    remedy = "Wait until it is done, or stop it, then try again."


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


class WorkerUnreachable(EngineDied):
    """A machine that should hold a part of the model does not answer, or went away."""

    code = "engine.worker"
    sentence = "A machine that holds a part of the model cannot be reached ({worker})."
    remedy = "Start llama.cpp's rpc-server there, or correct llama.rpc_workers; then try again."
    action = Action.RETRY


class DeviceLost(EngineError):
    """A device the model ran on is gone, mostly since the computer slept."""

    code = "engine.device_lost"
    sentence = "{device} is not there any more since the computer slept."
    remedy = "{model} was planned anew and runs without it."
    action = Action.OPEN_PLAN


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


class InstallError(EngineError):
    """A build of the engine could not be installed; name is the archive's, build's or server's."""

    code = "engine.install"
    sentence = "The engine build could not be installed from {name}: {detail}."
    remedy = "The engine in use is as it was; try again later."
    action = Action.NONE


class InstallChecksum(InstallError):
    """What came is not the archive that was announced; nothing of it is kept."""

    code = "engine.install_checksum"
    sentence = "What came of {name} is not the build that was announced: {detail}."
    remedy = "Nothing of it was kept and the engine in use is as it was; try again later."


class InstallUnsafe(InstallError):
    """An archive is damaged, or tries to write where it must not."""

    code = "engine.install_unsafe"
    sentence = "{name} was not unpacked: {detail}."
    remedy = "Nothing of it was kept and the engine in use is as it was; try another build."


class InstallFailed(InstallError):
    """A build does not pass its trial on this computer."""

    code = "engine.install_failed"
    sentence = "The engine build {name} does not run on this computer: {detail}."
    remedy = "The engine in use is as it was; try another build."


class InstallBusy(InstallError):
    """Another window or program installs an engine."""

    code = "engine.install_busy"
    sentence = "Another window or program is installing an engine just now."
    remedy = "Wait until it is done there."


class BuildUnknown(InstallError):
    """No build of this name is installed, or published for this computer."""

    code = "engine.build_unknown"
    sentence = "There is no engine build {name} {where}."
    remedy = "Known builds: {known}."
