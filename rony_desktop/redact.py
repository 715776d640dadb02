r"""Secret removal for whatever is written or sent: log lines, tool results, diagnostics.

Three layers: values the program itself holds, shapes of well-known keys, and values that stand
beside a telling name. There is no entropy rule: digests, commit ids and images must survive.
Every pattern is linear (repetitions are bounded or end before the next possible start) and begins
with letters, so that a search skips ordinary text fast.
"""

from __future__ import annotations

import base64
import json
import re
import threading
from urllib.parse import quote, quote_plus

MARK = "***"
SHORTEST = 6
KEPT = 4
LONG = 100

_lock = threading.Lock()
_held: dict[str, frozenset[str]] = {}
_forms: tuple[str, ...] = ()

# Colour codes, raw or as JSON and repr write them.
_ANSI = re.compile(r"(?:\x1b|\\u001b|\\x1b)\[[0-?]{0,40}[ -/]{0,4}[@-~]")
_QUOTE = r"\\{0,3}[\"']"


def _key(start: str, rest: str) -> re.Pattern[str]:
    r"""Match a key after no word character, after an escape such as \n, or after %3D."""
    return re.compile(
        rf"{start}(?:(?<![A-Za-z0-9_-]{start})|(?<=\\[nrt]{start})"
        rf"|(?<=%[0-9A-Fa-f]{{2}}{start})){rest}"
    )


# Keys that show themselves: the first characters stay, they say whose key it was.
_KEYS = (
    ("sk-", _key("sk-", r"(?=[A-Za-z_-]{0,100}\d)[A-Za-z0-9_-]{16,}")),
    ("gh", _key("gh[pousr]_", r"[A-Za-z0-9]{20,}")),
    ("github_pat_", _key("github_pat_", r"[A-Za-z0-9_]{20,}")),
    ("hf_", _key("hf_", r"[A-Za-z0-9]{20,}")),
    ("AKIA", _key("AKIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])")),
    ("ASIA", _key("ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])")),
    ("AIza", _key("AIza", r"[A-Za-z0-9_-]{30,}")),
    ("xox", _key("xox[a-z]-", r"[A-Za-z0-9-]{10,}")),
    ("xapp-", _key("xapp-", r"[A-Za-z0-9-]{10,}")),
    ("eyJ", _key("eyJ", r"[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*")),
)
# Secrets that follow something telling, which stays as group 1.
_FOLLOWING = (
    (
        "PRIVATE KEY",
        re.compile(
            r"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)"
            r"(?:[^-]*(?:-(?!----)[^-]*)*-----END [A-Z0-9 ]{0,40}-----"
            r"|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,})+)"
        ),
    ),
    (
        "uthorization",
        re.compile(
            rf"([Aa]uthorization(?:{_QUOTE})?\s{{0,9}}[:=,]\s{{0,9}}(?:{_QUOTE})?"
            r"(?:(?i:bearer|basic|token|apikey)\s{1,9})?)"
            r"(?!(?i:bearer|basic|token|apikey)\s)[A-Za-z0-9+/=_.~:-]{6,}"
        ),
    ),
    (
        "",
        re.compile(
            r"((?:[Bb]earer|BEARER|[Bb]asic|BASIC)\s{1,9})"
            r"(?=[A-Za-z+/_.~-]{0,200}[0-9=])[A-Za-z0-9+/=_.~-]{12,}"
        ),
    ),
    ("://", re.compile(r"(://[^\s/:@\"'<>]{0,100}:)(?!\*{3}@)[^\s/@\"'<>]{1,200}(?=@)")),
)

_NAME = re.compile(r"key|token|secret|passw(?:or)?d|passphrase|pwd|credentials?")
_WORDS = ("api", "access", "secret", "private", "auth")
_BEFORE_KEY = ("?", "&", *_WORDS, *(word + link for word in _WORDS for link in "_-"))
_FLAG = re.compile(r"--[A-Za-z0-9-]{0,30}$")
_ASSIGN = re.compile(rf"(?:{_QUOTE})?\s{{0,9}}(?:=>|:=|[:=])\s{{0,9}}")
_SPACE = re.compile(rf"(?:{_QUOTE},)?\s{{1,9}}")
_VALUE = re.compile(
    rf"(?:{_QUOTE})(?P<quoted>[^\"'\\\n]{{6,}})|(?P<bare>[^\s\"'&,;<>)}}\]\\]{{6,}})"
)
_PLACEHOLDER = re.compile(
    r"(?i).{0,4}\*{3}.*|[<${%\[*].*|\.{3,}.*|x{4,}.*|your[_ -].*|(?:none|null|true|false|undefined"
    r"|string|optional|required|redacted|removed|hidden|example|changeme|placeholder)\b.{0,12}"
)
_CODE = re.compile(r"[A-Za-z_][\w.]*[(\[].*|[A-Za-z_]+(?:\.[A-Za-z_]+)+")


def hold(value: str) -> None:
    """Remove this exact value from now on, also as URL, base64 and JSON text write it.

    Values shorter than 6 characters are ignored: they would eat innocent text.
    """
    if len(value) >= SHORTEST and value not in _held:
        with _lock:
            _held[value] = _spellings(value)
            _arrange()


def release(value: str) -> None:
    """Forget a held value."""
    with _lock:
        if _held.pop(value, None) is not None:
            _arrange()


def redact(text: str) -> str:
    """Return text without known secrets and colour codes; at most 4 of their characters stay."""
    if "\x1b" in text or "\\u001b" in text or "\\x1b" in text:
        text = _ANSI.sub("", text)
    for form in _forms:
        text = text.replace(form, MARK)
    for start, pattern in _KEYS:
        if start in text:
            text = pattern.sub(lambda match: match[0][:KEPT] + MARK, text)
    for word, pattern in _FOLLOWING:
        if word in text:
            text = pattern.sub(lambda match: match[1] + MARK, text)
    return _without_named(text)


def _without_named(text: str) -> str:
    """Replace values beside a telling name: password=, "api_key": and --token."""
    # Lower case keeps its length but for one letter, so places are the same in both.
    lower = text.replace("\u0130", "I").lower()
    kept: list[str] = []
    done = seen = 0
    for name in _NAME.finditer(lower):
        if name.start() < seen or (
            name[0] == "key" and not lower.endswith(_BEFORE_KEY, 0, name.start())
        ):
            continue
        value = _value_after(text, name)
        if value is None:
            continue
        if not _is_innocent(name[0], value):
            group = value.lastgroup or "bare"
            kept += (text[done : value.start(group)], MARK)
            done = seen = value.end(group)
        elif len(value[0]) > LONG:
            seen = value.end()  # looking again at every name in it would take quadratic time
    return "".join((*kept, text[done:])) if kept else text


def _value_after(text: str, name: re.Match[str]) -> re.Match[str] | None:
    between = _ASSIGN.match(text, name.end())
    if between is None and _FLAG.search(text, max(0, name.start() - 32), name.start()):
        between = _SPACE.match(text, name.end())
    return _VALUE.match(text, between.end()) if between else None


def _is_innocent(name: str, match: re.Match[str]) -> bool:
    value = match["quoted"] or match["bare"]
    if value.lower() == name or _PLACEHOLDER.fullmatch(value):
        return True
    if name == "token" and value.isdigit():
        return True  # a model's vocabulary: "EOS token = 151645"
    if match["quoted"]:
        return False
    # Keys have digits; a bare word without one is prose or code.
    return bool(_CODE.fullmatch(value)) or (
        not name.startswith("pass") and not any(letter.isdigit() for letter in value)
    )


def _spellings(value: str) -> frozenset[str]:
    raw = value.encode("utf-8", "surrogatepass")
    forms = {
        value,
        quote(raw, safe=""),
        quote(raw),
        quote_plus(raw),
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
    }
    for shift in range(3):
        # Inside longer data the value may begin at any of three places of a base64 group.
        text = base64.b64encode(bytes(shift) + raw)
        whole = text[-(-shift * 8 // 6) : (shift + len(raw)) * 8 // 6].decode()
        forms |= {whole, whole.replace("+", "-").replace("/", "_")}
    return frozenset(form for form in forms if len(form) >= SHORTEST)


def _arrange() -> None:
    global _forms  # noqa: PLW0603 - replaced whole, so that redact needs no lock
    _forms = tuple(sorted(set().union(*_held.values()), key=len, reverse=True))
