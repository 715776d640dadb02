"""Where the layers of a model go: all to the GPU, some, or none."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace

from rony_desktop.contract.model import Estimate, Machine, ModelMetadata, Setting
from rony_desktop.contract.plan import Wanted
from rony_desktop.model.batch import batch_size
from rony_desktop.model.estimate import estimate
from rony_desktop.model.expert import experts_of
from rony_desktop.model.geometry import geometry_of
from rony_desktop.model.room import Room, devices_of


@dataclass(frozen=True, slots=True)
class Placement:
    """Layers on the GPU, those of them whose experts are not, the batch, and what it takes."""

    gpu_layers: int
    n_cpu_moe: int
    n_ubatch: int
    estimate: Estimate


class Placer:
    """Places the layers of one model on one machine; nothing is placed below what is wanted."""

    def __init__(
        self, model: ModelMetadata, machine: Machine, room: Room, wanted: Wanted, batch: int
    ) -> None:
        self._model = model
        self._machine = machine
        self._room = room
        self._wanted = wanted
        self._batch = batch
        self._experts = experts_of(model)
        self._geometry = geometry_of(model)
        self.all_layers = len(self._geometry.layers) + 1
        # The engine repacks nothing where it sees a device, even one that holds no layer.
        visible = bool(devices_of(machine) or wanted.gpu_layers)
        self.repacks = wanted.repack and not visible
        self._setting = Setting(
            n_ctx=0,
            flash_attn=wanted.flash_attn != "off",
            parallel=wanted.parallel,
            swa_full=wanted.swa_full,
            repack=self.repacks,
            cpu_flags=machine.cpu_flags,
        )

    @property
    def latent(self) -> bool:
        """Whether K and V are one, so that their types must be."""
        return self._geometry.latent_width > 0

    @property
    def reads_at_once(self) -> bool:
        """Whether every text must fit into one batch, as an encoder's."""
        return not self._geometry.causal

    def place(self, n_ctx: int, types: tuple[str, str]) -> Placement:
        """The fastest placement whose part on the device fits there."""
        setting = replace(self._setting, n_ctx=n_ctx, cache_type_k=types[0], cache_type_v=types[1])
        if self._wanted.gpu_layers is not None:
            return self._whole(setting, min(self._wanted.gpu_layers, self.all_layers))
        if self._room.vram is None:
            return self._at(setting, 0)
        whole = self._whole(setting, self.all_layers)
        if self._room.on_device(whole.estimate):
            return whole
        # The last of the numbers that fit; they do up to one, and not from there on.
        numbers = range(self.all_layers + 1)
        first_too_many = bisect_left(numbers, True, key=lambda n: not self._fits(setting, n))
        return self._at(setting, max(0, first_too_many - 1))

    def _whole(self, setting: Setting, layers: int) -> Placement:
        """So many layers on the device, without as many experts as it takes to fit."""
        wanted = self._wanted.n_cpu_moe
        # Layers that are not on the device have their experts where they are.
        least = wanted if wanted > self.all_layers - layers else 0
        placed = self._at(setting, layers, least)
        if self._room.vram is None or self._room.on_device(placed.estimate):
            return placed
        numbers = range(least, self._experts.layers + 1)
        kept = bisect_left(numbers, True, key=lambda n: self._fits(setting, layers, n))
        return self._at(setting, layers, numbers[kept]) if kept < len(numbers) else placed

    def _fits(self, setting: Setting, layers: int, n_cpu_moe: int = 0) -> bool:
        return self._room.on_device(self._at(setting, layers, n_cpu_moe).estimate)

    def _at(self, setting: Setting, layers: int, n_cpu_moe: int = 0) -> Placement:
        first = max(0, self.all_layers - layers)
        left = self._model.size_bytes * (self.all_layers - layers) // self.all_layers
        left += self._experts.bytes_between(first, n_cpu_moe)
        planned = min(batch_size(left, self._machine.logical_cores), self._batch)
        planned = setting.n_ctx if self.reads_at_once else planned
        n_ubatch = self._wanted.n_ubatch or planned
        need = estimate(self._model, replace(setting, gpu_layers=layers, n_ubatch=n_ubatch))
        if n_cpu_moe:
            need = self._experts.on_host(need, first, n_cpu_moe)
        return Placement(layers, n_cpu_moe, n_ubatch, need)
