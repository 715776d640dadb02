"""The words of the engine's builds: what they compute on, whom they suit, where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.build import Build, Release, Source, Variant
from rony_desktop.ui.dot import joined
from rony_desktop.ui.engine.presenter import Deed, Work
from rony_desktop.ui.number import size_text

if TYPE_CHECKING:
    from rony_desktop.app.install import InUse


def variant_word(variant: Variant) -> str:
    """What a build computes on."""
    return {
        Variant.CUDA: "CUDA",
        Variant.VULKAN: "Vulkan",
        Variant.ROCM: "ROCm",
        Variant.METAL: "Metal",
        Variant.CPU: QCoreApplication.translate("build", "processor"),
    }[variant]


def title(build: Build | Release) -> str:
    """What a build is called: b9860 · Vulkan."""
    return joined((f"b{build.build}", variant_word(build.variant)))


def suits_words(variant: Variant) -> str:
    """Which computers a build suits."""
    tr = QCoreApplication.translate
    return {
        Variant.CUDA: tr("build", "for NVIDIA graphics"),
        Variant.VULKAN: tr("build", "for graphics cards of every make"),
        Variant.ROCM: tr("build", "for AMD graphics"),
        Variant.METAL: tr("build", "for Apple's chips"),
        Variant.CPU: tr("build", "runs on every processor"),
    }[variant]


def release_words(release: Release) -> str:
    """Why a build suits this computer, and what is downloaded."""
    tr = QCoreApplication.translate
    suits = suits_words(release.variant)
    parts = [suits[:1].upper() + suits[1:]]
    if release.size_bytes:
        parts.append(tr("build", "{0} to download").format(size_text(release.size_bytes)))
    return joined(parts)


def trust_words(*, pinned: bool) -> str:
    """Whose word it is that a build is what its makers published; "" where it is the program's."""
    if pinned:
        return ""
    return QCoreApplication.translate(
        "build",
        "Only the site that sends it vouches for it; the program does not know this build yet.",
    )


def source_words(source: Source) -> str:
    """Where the engine in use comes from."""
    tr = QCoreApplication.translate
    return {
        Source.CONFIGURED: tr("build", "named in the settings"),
        Source.INSTALLED: tr("build", "installed here"),
        Source.BUNDLE: tr("build", "came with the program"),
        Source.PATH: tr("build", "found on this computer"),
        Source.WHEEL: tr("build", "came with a Python package"),
        Source.HOST: tr("build", "runs inside of the program's Python"),
    }[source]


def in_use_words(in_use: InUse) -> str:
    """The build of the engine in use, where its name does not say it, and where it comes from."""
    tr = QCoreApplication.translate
    build = in_use.build if in_use.build.startswith("b") else f"b{in_use.build}"
    parts = [source_words(in_use.source)]
    if in_use.build in ("", "unknown"):
        parts.append(tr("build", "its build is not known"))
    elif build not in in_use.label:
        parts.append(tr("build", "build {0}").format(build))
    words = joined(parts)
    return words[:1].upper() + words[1:]


def work_words(work: Work) -> str:
    """How far a deed is."""
    tr = QCoreApplication.translate
    if work.stopping:
        return tr("build", "Stopping; nothing of it is kept")
    if work.deed is Deed.USE:
        return tr("build", "Trying whether it computes here")
    if work.deed is not Deed.INSTALL:
        return tr("build", "Asking the site") if work.deed is Deed.SEARCH else ""
    if not work.every:
        return tr("build", "Asking for it")
    if work.done >= work.every:
        return tr("build", "Unpacking it and trying whether it computes here")
    done, every = size_text(work.done), size_text(work.every)
    return tr("build", "{0} of {1}").format(done, every)
