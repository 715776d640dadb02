"""The reasons of a plan in English, for the command line."""

from __future__ import annotations

from rony_desktop.contract.error import fill
from rony_desktop.contract.plan import Reason, Why

WORDS = {
    Why.GIVEN: "given",
    Why.CONFIG: "set in config.yaml",
    Why.MODEL_LIMIT: "the model's own limit, {limit}",
    Why.MODE: "what the mode {mode} asks for",
    Why.MEMORY: "the most that fits of {wanted}",
    Why.SMALLEST: "the smallest, for memory is short",
    Why.NO_GPU: "no GPU that an engine could use was found",
    Why.ENGINE: "left to the engine, which was not asked for its devices",
    Why.GPU_ALL: "all layers fit on {devices}",
    Why.GPU_PART: "of {layers}, as many as fit on {devices}",
    Why.GPU_FULL: "not even one layer fits on {devices}",
    Why.EXPERTS: "the experts of {layers} layers do not fit on {devices}",
    Why.BATCH_TIME: "read in half a second, so that Stop is soon heard",
    Why.BATCH_GPU: "read fast enough on the GPU",
    Why.BATCH_WHOLE: "this kind of model reads all of a text at once",
    Why.ONE_CORE_LEFT: "one core is left to the rest of the computer",
    Why.ALL_CORES: "one for each core",
    Why.FLASH_AUTO: "the engine uses it wherever it can",
    Why.FLASH_NEEDED: "values of this type need it",
    Why.CACHE_EXACT: "exact, and fastest on a processor",
    Why.CACHE_ALIKE: "keys and values must be of one type here",
    Why.CACHE_SMALLER: "half as large, for a larger context",
    Why.CACHE_RAM: "keeps a whole context beside the live one",
    Why.ONE_CHAT: "one chat at a time: more slots would only take memory from it",
    Why.SLOTS_DEFAULT: "the server's default: four slots over one cache",
    Why.REPACK: "faster on this processor",
    Why.REPACK_GPU: "the engine does not where it sees a GPU",
    Why.RULES: "worked out by the rules of this architecture",
    Why.UPPER_BOUND: "{architecture} is not known here: dense upper bounds",
    Why.ENGINE_SAYS: "as the engine itself counted it, before it took any",
    Why.KEPT: "set by you for this model",
    Why.TUNED: "found to be faster on this computer",
    Why.LOWERED: "lowered, for memory ran out",
    Why.THIS_FILE: "the file you chose",
    Why.PRIVATE: "nobody but this program may ask",
    Why.OFFLINE: "the engine itself loads nothing from the network",
    Why.NO_PAGES: "the window is its page",
    Why.STOP_SEEN: "shows that Stop has stopped it",
    Why.PLAN_DECIDES: "this plan decides, not the engine",
    Why.WORKERS: "machines that hold a part of the model; what goes there is not encrypted",
    Why.MEASURED: "so that what it takes can be compared with the plan",
}


def words(reason: Reason) -> str:
    """Say why."""
    return fill(WORDS[reason.why], reason.params)
