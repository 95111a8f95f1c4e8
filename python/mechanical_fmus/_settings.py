"""Settings as the builder takes them: TOML."""

from __future__ import annotations

import io
import itertools
import json
import math
import os
import re
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

from ._native import SettingsError

Configuration = str | os.PathLike[str] | Mapping[str, Any]

What = tuple[str | None, Path | None, str | None, list[str]]
"""A component, a file or a text in TOML, and assignments."""

# Of numbers with more digits, Python makes no text.
_DIGITS = 4000

_CHUNK = 10_000

# As for files of settings, in bytes.
_LIMIT = 16 << 20


def what_of(what: Configuration, settings: Mapping[str, Any]) -> What:
    """What is to be built or told of, for the builder."""
    assignments = [f"{name}={toml(name, value)}" for name, value in settings.items() if value is not None]
    if isinstance(what, Mapping):
        for key in what:
            if not isinstance(key, str):
                raise SettingsError(f"{key!r} is no name: a text is")
        lines = [f"{toml(key, key)} = {toml(key, value)}\n" for key, value in what.items() if value is not None]
        return None, None, "".join(lines), assignments
    if not isinstance(what, (str, os.PathLike)):
        raise TypeError(f"{what!r} is nothing to build: the name of a component, a file and a dict are")
    if isinstance(what, os.PathLike) or what.endswith((".toml", ".fmu")):
        return None, Path(what), None, assignments
    return what, None, None, assignments


def toml(name: str, value: Any) -> str:
    """The value of a setting in TOML."""
    try:
        text = io.StringIO()
        for piece in _toml(value):
            text.write(piece)
            if text.tell() > _LIMIT:
                raise _Wrong(f"is larger than {_LIMIT >> 20} MB as text, the limit for settings")
        return text.getvalue()
    except RecursionError:
        raise SettingsError(f"{name}: is nested too deeply, or contains itself") from None
    except _Wrong as error:
        raise SettingsError(f"{name}: {error}") from None


class _Wrong(Exception):
    """What is wrong with a value."""


def _toml(value: Any) -> Iterator[str]:
    """The text in pieces: a table may have millions of numbers, and a limit that is reached before its end."""
    if hasattr(value, "to_numpy"):
        value = _rows(value)
    if hasattr(value, "tolist") and not getattr(value, "shape", ()):
        value = value.tolist()
    if isinstance(value, str):
        yield _text(value)
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, int):
        if abs(value) >= 10**_DIGITS:
            raise _Wrong(f"is a whole number of more than {_DIGITS} digits")
        yield str(value)
    elif isinstance(value, float):
        yield repr(value) if math.isfinite(value) else str(value)
    elif isinstance(value, Mapping):
        items = ((key, item) for key, item in value.items() if item is not None)
        yield from _listed("{", items, lambda pair: _joined(f"{_text(pair[0])} = ", _toml(pair[1])), "}")
    elif isinstance(value, os.PathLike):
        yield from _toml(os.fspath(value))
    elif isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)) or hasattr(value, "tolist"):
        if hasattr(value, "dtype") and len(value.shape) == 1:
            # Elements of Python are faster, and memory is needed for some of them only.
            chunks = map(value.__getitem__, (slice(i, i + _CHUNK) for i in range(0, len(value), _CHUNK)))
            value = itertools.chain.from_iterable(chunk.tolist() for chunk in chunks)
        yield from _listed("[", value, _toml, "]")
    else:
        raise TypeError(f"{value!r} is no setting: a number, text, list, array, frame or dict is")


def _joined(begin: str, rest: Iterator[str]) -> Iterator[str]:
    yield begin
    yield from rest


def _listed(begin: str, items: Iterable[Any], text: Callable[[Any], Iterator[str]], end: str) -> Iterator[str]:
    yield begin
    for number, item in enumerate(items):
        if number:
            yield ", "
        yield from text(item)
    yield end


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
