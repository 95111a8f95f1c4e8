"""FMI 2.0 FMUs of mechanical components and systems, from a configuration, without a compiler.

    >>> import mechanical_fmus
    >>> mechanical_fmus.build("bushing", TS=[1e6, 1e6, 2e5], out="front.fmu")  # doctest: +SKIP
    PosixPath('front.fmu')
"""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any, Mapping, Sequence

from . import _native
from ._data import Component, PartType, Problem, Variable, variables
from ._importer import SimulationError, SimulationWarning, simulate, validate
from ._native import SettingsError
from ._settings import Configuration, what_of

__all__ = [
    "Component",
    "PartType",
    "Problem",
    "SettingsError",
    "SettingsNote",
    "SettingsWarning",
    "SimulationError",
    "SimulationWarning",
    "Variable",
    "build",
    "components",
    "info",
    "parts",
    "simulate",
    "validate",
]

_HERE = Path(__file__).parent


class SettingsWarning(UserWarning):
    """What is unusual in the settings of an FMU that was built."""


class SettingsNote(UserWarning):
    """How a table of measured data was read: its columns, units and rows."""


def components() -> list[Component]:
    """The components, each with its name and a line of description."""
    return [Component(**each) for each in json.loads(_native.components(_HERE))]


def parts() -> list[PartType]:
    """The types of parts of systems."""
    types = json.loads(_native.parts(_HERE))
    return [PartType(each["name"], each["description"], tuple(variables(each))) for each in types]


def build(
    what: Configuration,
    settings: Mapping[str, Any] | None = None,
    /,
    *,
    out: str | os.PathLike[str] = ".",
    target: str | Sequence[str] = (),
    strict: bool = False,
    modelica: bool = False,
    **further: Any,
) -> Path:
    """Builds an FMU and returns its file.

    `what` is the name of a component, the path of a configuration (.toml), or a configuration as a dict with the same
    keys. `settings`, a dict or arguments, are structure options and parameters by their names, in the units that `info` gives,
    as `--set` of the command takes them: numbers, texts, lists, arrays of NumPy and frames of pandas. What has a dot in
    its name comes in the dict: `{"frame_a.r_0": [0, 0, 1]}`. Headings of a frame may have units in brackets, as those of a
    file.

    `out` is a folder, or the file to write. `target` are the platforms whose libraries the FMU has, such as
    `["linux64", "win64"]` or `["all"]`; by default that of this computer. With `strict`, warnings are errors; without,
    they are warnings of the class `SettingsWarning`. How files of measured data were read is told by warnings of the class
    `SettingsNote`. With `modelica`, the package `MechanicalFMUs` beside the file has a model of it.

    Raises `SettingsError` with the errors of the settings, a line each; `OSError` if a file cannot be written.
    """
    if isinstance(target, str):
        target = [target]
    given = what_of(what, {**(settings or {}), **further})
    file, notes, unusual = _native.build(_HERE, given, Path(out), list(target), strict, modelica)
    for text in notes:
        warnings.warn(text, SettingsNote, stacklevel=2)
    for text in unusual:
        warnings.warn(text, SettingsWarning, stacklevel=2)
    return file


def info(what: Configuration, settings: Mapping[str, Any] | None = None, /, **further: Any) -> list[Variable]:
    """The structure options, parameters, inputs, outputs and attachments of a component with these settings.

    `what` and `settings` are those of `build`; or `what` is a finished FMU, whose code does not run.
    """
    return variables(json.loads(_native.info(_HERE, what_of(what, {**(settings or {}), **further}))))
