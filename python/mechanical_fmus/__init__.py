"""FMI 2.0 and 3.0 FMUs of mechanical components and systems, from a configuration, without a compiler.

    >>> import mechanical_fmus
    >>> mechanical_fmus.build("bushing", TS=[1e6, 1e6, 2e5], out="front.fmu")  # doctest: +SKIP
    PosixPath('front.fmu')
"""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

from . import _native
from ._data import Component, PartType, Problem, Variable, variables
from ._errors import FmuEndedError, ModelClosedError, SimulationError, SimulationWarning
from ._fit import Estimate, Fit, Measurement, fit
from ._importer import simulate, validate
from ._linear import LinearSystem, Mode, linearize
from ._model import Model, open
from ._native import SettingsError, __version__
from ._results import Derivatives, State, Trajectory
from ._settings import Configuration, What, what_of
from ._shipped import documentation, examples
from ._sweep import Table, sweep

__all__ = [
    "Component",
    "Derivatives",
    "Estimate",
    "Fit",
    "FmuEndedError",
    "LinearSystem",
    "Measurement",
    "Mode",
    "Model",
    "ModelClosedError",
    "PartType",
    "Problem",
    "SettingsError",
    "SettingsNote",
    "SettingsWarning",
    "SimulationError",
    "SimulationWarning",
    "State",
    "Table",
    "Trajectory",
    "Variable",
    "__version__",
    "build",
    "build_all",
    "components",
    "documentation",
    "examples",
    "fit",
    "info",
    "linearize",
    "open",
    "parts",
    "simulate",
    "sweep",
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
    as `--set` of the command takes them; None leaves the default: numbers, texts, lists, arrays of NumPy and frames of pandas. What has a dot in
    its name comes in the dict: `{"frame_a.r_0": [0, 0, 1]}`. Headings of a frame may have units in brackets, as those of a
    file.

    `out` is a folder, or the file to write. `target` are the platforms whose libraries the FMU has, such as
    `["linux64", "win64"]` or `["all"]`; by default that of this computer. With `strict`, warnings are errors; without,
    they are warnings of the class `SettingsWarning`. How files of measured data were read is told by warnings of the class
    `SettingsNote`. With `modelica`, the package `MechanicalFMUs` beside the file has a model of it.

    Raises `SettingsError` with the errors of the settings, a line each; `OSError` if a file cannot be written.
    """
    return _built([what_of(what, {**(settings or {}), **further})], out, target, strict, modelica)[0]


def build_all(
    configurations: Iterable[Configuration],
    /,
    *,
    out: str | os.PathLike[str] = ".",
    target: str | Sequence[str] = (),
    strict: bool = False,
    modelica: bool = False,
) -> list[Path]:
    """Builds the FMUs of several configurations at the same time and returns their files, in order.

    Each of the `configurations` is what `build` takes: the name of a component, a path, or a dict. `out` is a folder; the
    other arguments are those of `build`. With errors in any configuration nothing is built; a message calls the dicts
    `dict 1`, `dict 2` and so on, by their places among the configurations.

    Raises and warns as `build` does.
    """
    return _built([what_of(each, {}) for each in configurations], out, target, strict, modelica)


def _built(
    given: list[What], out: str | os.PathLike[str], target: str | Sequence[str], strict: bool, modelica: bool
) -> list[Path]:
    targets = [target] if isinstance(target, str) else list(target)
    built = _native.build(_HERE, given, Path(out), targets, strict, modelica)
    for _, notes, unusual in built:
        for text in notes:
            warnings.warn(text, SettingsNote, stacklevel=3)
        for text in unusual:
            warnings.warn(text, SettingsWarning, stacklevel=3)
    return [file for file, _, _ in built]


def info(what: Configuration, settings: Mapping[str, Any] | None = None, /, **further: Any) -> list[Variable]:
    """The structure options, parameters, inputs, outputs and attachments of a component with these settings.

    `what` and `settings` are those of `build`; or `what` is a finished FMU, whose code does not run.
    """
    return variables(json.loads(_native.info(_HERE, what_of(what, {**(settings or {}), **further}))))
