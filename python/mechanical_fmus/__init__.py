"""FMI 2.0 FMUs of mechanical components and systems, from a configuration, without a compiler.

    >>> import mechanical_fmus
    >>> mechanical_fmus.build("bushing", TS=[1e6, 1e6, 2e5], out="front.fmu")  # doctest: +SKIP
    PosixPath('front.fmu')
"""

from __future__ import annotations

import json
import math
import os
import re
import warnings
from pathlib import Path
from typing import Any, Mapping, Sequence

from . import _native
from ._native import Component, SettingsError, Variable

__all__ = ["Component", "SettingsError", "SettingsWarning", "Variable", "build", "components", "info"]

Configuration = str | os.PathLike[str] | Mapping[str, Any]

_HERE = Path(__file__).parent


class SettingsWarning(UserWarning):
    """What is unusual in the settings of an FMU that was built."""


def components() -> list[Component]:
    """The components, each with its name and a line of description."""
    return _native.components(_HERE)


def build(
    what: Configuration,
    /,
    *,
    out: str | os.PathLike[str] = ".",
    target: str | Sequence[str] = (),
    strict: bool = False,
    modelica: bool = False,
    **settings: Any,
) -> Path:
    """Builds an FMU and returns its file.

    `what` is the name of a component, the path of a configuration (.toml), or a configuration as a dict with the same
    keys. `settings` are structure options and parameters by their names, in the units that `info` gives, as
    `--set` of the command takes them: numbers, texts, lists, arrays of NumPy and frames of pandas. What has a dot in its name
    comes as `**{"frame_a.r_0": [0, 0, 1]}`. Headings of a frame may have units in brackets, as those of a file.

    `out` is a folder, or the file to write. `target` are the platforms whose libraries the FMU has, such as
    `["linux64", "win64"]` or `["all"]`; by default that of this computer. With `strict`, warnings are errors; without,
    they are warnings of the class `SettingsWarning`. With `modelica`, the package `MechanicalFMUs` beside the file has a model
    of it.

    Raises `SettingsError` with the errors of the settings, a line each; `OSError` if a file cannot be written.
    """
    if isinstance(target, str):
        target = [target]
    file, found = _native.build(_HERE, _settings(what, settings), Path(out), list(target), strict, modelica)
    for text in found:
        warnings.warn(text, SettingsWarning, stacklevel=2)
    return file


def info(what: Configuration, /, **settings: Any) -> list[Variable]:
    """The structure options, parameters, inputs and outputs of a component with these settings."""
    return _native.info(_HERE, _settings(what, settings))


def _settings(what: Configuration, settings: Mapping[str, Any]) -> tuple[str | None, Path | None, str | None, list[str]]:
    assignments = [f"{name}={_toml(value)}" for name, value in settings.items()]
    if isinstance(what, Mapping):
        text = "".join(f"{_key(key)} = {_toml(value)}\n" for key, value in what.items())
        return None, None, text, assignments
    if not isinstance(what, (str, os.PathLike)):
        raise TypeError(f"{what!r} is nothing to build: the name of a component, a file and a dict are")
    if isinstance(what, os.PathLike) or what.endswith(".toml"):
        return None, Path(what), None, assignments
    return what, None, None, assignments


def _toml(value: Any) -> str:
    """A value in TOML."""
    if hasattr(value, "to_numpy"):
        value = _rows(value)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, os.PathLike):
        return _toml(os.fspath(value))
    if isinstance(value, Sequence):
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
        raise ValueError(f"some headings have units and some have not: {', '.join(headings)}")
    return {"rows": rows, "units": [unit.group(1) for unit in units if unit]}


def _key(key: str) -> str:
    return json.dumps(key, ensure_ascii=False)
