"""Explains a launch: every flag of its command with the reason of its value."""

from __future__ import annotations

from collections.abc import Mapping

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.launch import Flag
from rony_desktop.contract.plan import PlanResult, Reason, Source, Wanted, Why
from rony_desktop.engine.command import flags

# Flags that no plan decides.
FIXED = {
    "model": Why.THIS_FILE,
    "alias": Why.THIS_FILE,
    "offline": Why.OFFLINE,
    "slots": Why.STOP_SEEN,
    "cors": Why.PRIVATE,
    "ui": Why.NO_PAGES,
    "log": Why.MEASURED,
    "fit": Why.PLAN_DECIDES,
    "rpc_workers": Why.WORKERS,
}
KEPT = Reason(Why.KEPT, Source.KEPT)
TUNED = Reason(Why.TUNED, Source.TUNED)
LOWERED = Reason(Why.LOWERED, Source.LOWERED)


def reasons_of(
    base: PlanResult, plan: PlanResult, launch: Launch, kept: Wanted
) -> Mapping[str, Reason]:
    """The reason of every value of a launch: of the base plan, or of what changed it since.

    plan is the base where nothing had to be lowered; launch is the plan's as tuning left it.
    """
    found = dict(base.reasons) | {"parallel": Reason(Why.ONE_CHAT)}
    for name, reason in base.reasons.items():
        if reason.why is Why.GIVEN and getattr(kept, name, None) is not None:
            found[name] = KEPT
        if hasattr(launch, name) and getattr(launch, name) != getattr(plan.launch, name):
            found[name] = TUNED
    return found | dict.fromkeys(changed(plan, base), LOWERED)


def explained(
    launch: Launch, reasons: Mapping[str, Reason], known: frozenset[str]
) -> tuple[Flag, ...]:
    """Every flag of the command, for a build that knows these options."""
    return tuple(
        Flag(option, value, reasons.get(name) or Reason(FIXED[name]))
        for option, value, name in flags(launch, known)
    )


def changed(plan: PlanResult, base: PlanResult) -> tuple[str, ...]:
    """Names of the values by which a plan takes less than another."""
    names = ("n_ctx", "cache_type_k", "cache_type_v", "gpu_layers")
    return tuple(n for n in names if getattr(plan.launch, n) != getattr(base.launch, n))
