"""Arguments of calls: read strictly, then held against the tool's schema."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from rony_desktop.contract.error import ToolArgumentsError
from rony_desktop.contract.message import ToolCall
from rony_desktop.contract.tool_spec import ToolSpec

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

LARGEST = 4 * 1024 * 1024
# What a small model can take in at once; error and name included.
LONGEST_ANSWER = 400
MOST_PROBLEMS = 3
MOST_ERRORS = 30  # looked at: a rule may report one mistake several times
MOST_NAMES = 10
MOST_DIGITS = 300
SHOWN = 40

# The newest schema and its validator by tool name.
_validators: dict[str, tuple[Mapping[str, Any], Validator]] = {}


def arguments_of(call: ToolCall) -> Mapping[str, Any]:
    """Arguments of a call, from one strict JSON object. Blocking for large ones.

    Raises:
        ToolArgumentsError: It is no JSON object, names something twice, or cannot be text.
    """
    if len(call.arguments) > LARGEST:
        raise _refused(call.name, f"they have more than {LARGEST} characters")
    try:
        value = json.loads(
            call.arguments,
            object_pairs_hook=_without_doubles,
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_whole,
        )
        # Half of a surrogate pair cannot be written to any file.
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise _refused(call.name, "they are nested too deeply") from None
    except UnicodeEncodeError:
        raise _refused(call.name, "they hold half of a surrogate pair") from None
    except json.JSONDecodeError as error:
        detail = f"this is not JSON ({error.msg} at character {error.pos + 1})"
        raise _refused(call.name, detail) from None
    except ValueError as error:  # from the hooks
        raise _refused(call.name, str(error)) from None
    if not isinstance(value, dict):
        detail = f"a JSON object is expected, given was {_shown(value)}"
        raise _refused(call.name, detail)
    return value


def check(tool: ToolSpec, arguments: Mapping[str, Any]) -> None:
    """Hold arguments against the tool's schema. Blocking for large ones.

    Raises:
        ToolArgumentsError: They do not fit; it names at most three problems.
    """
    from referencing.exceptions import Unresolvable

    kept = _validators.get(tool.name)
    if kept is None or kept[0] is not tool.parameters:
        kept = _validators[tool.name] = (tool.parameters, _validator(tool.parameters))
    try:
        found = islice(kept[1].iter_errors(arguments), MOST_ERRORS)
        details = dict.fromkeys(_described(problem) for problem in found)
    except RecursionError:
        raise _refused(tool.name, "they are nested too deeply") from None
    except Unresolvable:
        raise _refused(tool.name, "its schema points to what is not there") from None
    if details:
        raise _refused(tool.name, "; ".join(islice(details, MOST_PROBLEMS)))


def fault(parameters: Mapping[str, Any]) -> str:
    """Why this is no JSON Schema for arguments; "" where it is one."""
    if _is_flat(parameters):
        return ""
    from jsonschema import SchemaError

    try:
        json.dumps(parameters)
        _validator(parameters).check_schema(dict(parameters))
    except (TypeError, ValueError, RecursionError) as error:
        return f"its parameters are no JSON ({error})"
    except SchemaError as error:
        return f"its parameters are no JSON Schema ({error.message[:200]})"
    kind = parameters.get("type")
    return "" if kind == "object" else f"its parameters are of type {kind!r}, not object"


def _is_flat(parameters: Mapping[str, Any]) -> bool:
    """Whether this is a schema of the simplest form, as all of our own are.

    Those need no library to be seen as right, and its import would cost the start of the program.
    """
    match parameters:
        case {
            "type": "object",
            "properties": dict(properties),
            "required": list(required),
            "additionalProperties": bool(),
            **rest,
        } if not rest:
            named = all(isinstance(name, str) for name in required)
            return (
                named
                and len(set(required)) == len(required)
                and all(map(_is_scalar, properties.values()))
            )
    return False


def _is_scalar(schema: object) -> bool:
    match schema:
        case {"type": "string" | "integer" | "number" | "boolean", **rest}:
            return all(k == "description" and isinstance(v, str) for k, v in rest.items())
    return False


def _validator(parameters: Mapping[str, Any]) -> Validator:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for
    from referencing import Registry

    kind = validator_for(parameters, default=Draft202012Validator)
    # An empty registry: a $ref that points elsewhere is never fetched.
    return kind(parameters, registry=Registry())


def _described(error: Any) -> str:
    """One problem in words for a model: where, what was given, what is expected."""
    where = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path
    ).lstrip(".")
    where = f"{where[:SHOWN]!r}: " if where else ""
    match error.validator:
        case "additionalProperties" if error.validator_value is False:
            known = error.schema.get("properties", {})
            unknown = (name for name in error.instance if name not in known)
            return f"{where}unknown {_names(unknown)}; known are {_names(known) or 'none'}"
        case "required":
            missing = [name for name in error.validator_value if name not in error.instance]
            return f"{where}{_names(missing)} must be given"
        case "type":
            expected = error.validator_value
            expected = expected if isinstance(expected, str) else " or ".join(expected)
            return f"{where}must be {expected}, given was {_shown(error.instance)}"
        case "enum":
            expected = _names(map(str, error.validator_value))
            return f"{where}must be one of {expected}, given was {_shown(error.instance)}"
        case _:
            rule = f"{error.validator} {_shown(error.validator_value)}"
            return f"{where}must have {rule}, given was {_shown(error.instance)}"


def _names(names: Iterable[str]) -> str:
    listed = [repr(name[:SHOWN]) for name in islice(names, MOST_NAMES + 1)]
    return ", ".join((*listed[:MOST_NAMES], "...") if len(listed) > MOST_NAMES else listed)


def _shown(value: object) -> str:
    """A value in short; large ones are never written out whole."""
    match value:
        case str():
            text = json.dumps(value[: SHOWN + 1], ensure_ascii=False)
        case dict():
            return "an object"
        case list():
            return f"a list of {len(value)}"
        case _:
            text = json.dumps(value, default=str)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _refused(name: str, detail: str) -> ToolArgumentsError:
    name = name[:64]
    room = LONGEST_ANSWER - len(str(ToolArgumentsError(name=name, detail="")))
    if len(detail) > room:
        detail = f"{detail[: room - 3]}..."
    return ToolArgumentsError(name=name, detail=detail)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"{name[:SHOWN]!r} is given twice")
    return made


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"{text[:SHOWN]}... has {len(text)} digits")
    return int(text)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:SHOWN]} is too large a number")
    return number
