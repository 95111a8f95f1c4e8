"""Settings as the builder takes them: TOML."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import Any, Mapping, Sequence

from ._native import SettingsError

Configuration = str | os.PathLike[str] | Mapping[str, Any]

What = tuple[str | None, Path | None, str | None, list[str]]
"""A component, a file or a text in TOML, and assignments."""

# Of numbers with more digits, Python makes no text.
_DIGITS = 4000


def what_of(what: Configuration, settings: Mapping[str, Any]) -> What:
    """What is to be built or told of, for the builder."""
    assignments = [f"{name}={toml(name, value)}" for name, value in settings.items()]
    if isinstance(what, Mapping):
        text = "".join(f"{_text(key)} = {toml(key, value)}\n" for key, value in what.items())
        return None, None, text, assignments
    if not isinstance(what, (str, os.PathLike)):
        raise TypeError(f"{what!r} is nothing to build: the name of a component, a file and a dict are")
    if isinstance(what, os.PathLike) or what.endswith((".toml", ".fmu")):
        return None, Path(what), None, assignments
    return what, None, None, assignments


def toml(name: str, value: Any) -> str:
    """The value of a setting in TOML."""
    try:
        return _toml(value)
    except RecursionError:
        raise SettingsError(f"{name}: is nested too deeply, or contains itself") from None
    except _Wrong as error:
        raise SettingsError(f"{name}: {error}") from None


class _Wrong(Exception):
    """What is wrong with a value."""


def _toml(value: Any) -> str:
    if hasattr(value, "to_numpy"):
        value = _rows(value)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if abs(value) >= 10**_DIGITS:
            raise _Wrong(f"is a whole number of more than {_DIGITS} digits")
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, os.PathLike):
        return _toml(os.fspath(value))
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    raise TypeError(f"{value!r} is no setting: a number, text, list, array, frame or dict is")


def _rows(frame: Any) -> Any:
    """The rows of a frame, with the units of its headings if these have some, as in files: `s [mm]`."""
    rows = frame.to_numpy()
    headings = [str(heading) for heading in getattr(frame, "columns", ())]
    units = [re.fullmatch(r".*[\[(](.+)[\])]\s*", heading) for heading in headings]
    if not any(units):
        return rows
    if not all(units):
        raise _Wrong(f"some headings have units and some have not: {', '.join(headings)}")
    return {"rows": rows, "units": [unit.group(1) for unit in units if unit]}


def _text(text: object) -> str:
    """A text in quotes; TOML has the escapes of JSON."""
    if not isinstance(text, str):
        raise _Wrong(f"{text!r} is no name: a text is")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _Wrong(f"{text!r} is not Unicode") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
