"""Models: files that cannot be used, plans and measurements that cannot be made."""

from __future__ import annotations

from rony_desktop.contract.error.root import Action, RonyError


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


class ModelTemplate(ModelFileError):
    """The engine cannot use the chat template of the file; detail is in the engine's words."""

    code = "model.template"
    sentence = "The chat template of {path} does not work: {detail}."
    remedy = "Get a newer revision of the file, use a newer engine, or choose another model."


class ModelNotLinked(ModelFileError):
    """A file of another program cannot be used from where it is."""

    code = "model.not_linked"
    sentence = "{path} cannot be used from where it is: {detail}."
    remedy = "Add its folder to llama.models_dirs, or download the model."
    action = Action.OPEN_CONFIG


class ModelNotMerged(ModelFileError):
    """A second copy of a model cannot share the bytes of the first; it is left as it was."""

    code = "model.not_merged"
    sentence = "{path} cannot share the bytes of its copy: {detail}."
    remedy = "It was left as it was; look for duplicates again, or delete one of the two."
    action = Action.NONE


class ModelKept(ModelFileError):
    """A model is not deleted: it is in use, of another program, or the system refuses."""

    code = "model.kept"
    sentence = "{path} was not deleted: {detail}."
    remedy = "Load another model where it is in use; delete files of other programs there."
    action = Action.OPEN_DATA


class PlanError(RonyError):
    """What is wanted of a launch contradicts itself."""

    code = "plan"
    sentence = "No engine starts {model} like this: {detail}."
    remedy = "Leave out one of the two."
    action = Action.NONE


class PlanTooLarge(PlanError):
    """A launch does not fit into the memory that is free; the window shows the sum."""

    code = "plan.too_large"
    sentence = "{model} needs {need} of memory, and {room} can be used now."
    remedy = "Look at the sum, close other programs, choose a smaller model, or load it anyway."
    action = Action.OPEN_PLAN


class LaunchLowered(PlanError):
    """A launch ran out of memory and was started with less; changes says what is less."""

    code = "plan.lowered"
    sentence = "Memory was too short for {model} as planned; it runs with less: {changes}."
    remedy = "It stays so while memory is as short as now."
    action = Action.OPEN_PLAN


class BenchmarkError(RonyError):
    """The speed of a model cannot be measured."""

    code = "benchmark"
    sentence = "The speed could not be measured: {detail}."
    remedy = "Try another model."
