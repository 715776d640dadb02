"""What the configuration lets tools do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rony_desktop.contract.tool import Permission
from rony_desktop.contract.tool_spec import ToolSpec


@dataclass(frozen=True, slots=True)
class ConfigPolicy:
    """Permissions by tool name, which outrank the tool's own.

    Two things no setting changes: a tool that is switched off stays off, and one that changes
    something asks.
    """

    permissions: Mapping[str, Permission]

    def permission(self, tool: ToolSpec) -> Permission:
        """What may be done with a tool."""
        set_ = self.permissions.get(tool.name, tool.permission)
        if Permission.DENY in (set_, tool.permission):
            return Permission.DENY
        return Permission.ASK if Permission.ASK in (set_, tool.permission) else Permission.ALLOW
