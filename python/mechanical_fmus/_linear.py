"""Linear systems of FMUs, as the command `linearize` makes them."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

from . import _native, _program
from ._errors import SimulationWarning
from ._model import Progress, assignments, report
from ._results import matrix
from ._signals import table

Names = str | Sequence[str]


@dataclass(frozen=True)
class Mode:
    """A mode of a linear system."""

    kind: str
    """Such as `oscillation`."""
    eigenvalue: complex
    """The eigenvalue [1/s]."""
    frequency: float | None
    """The frequency [Hz] of an oscillation."""
    damping_ratio: float | None
    """The damping ratio of an oscillation."""
    time_constant: float | None
    """The time constant [s] of what decays or grows."""
    shape: tuple[complex, ...]
    """The states of the eigenvector."""
    participation: dict[str, float]
    """The part that each state has in the mode."""


@dataclass(frozen=True)
class LinearSystem:
    """The linear system dx/dt = A x + B u, y = C x + D u at an operating point."""

    A: Any
    B: Any
    C: Any
    D: Any
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    values: dict[str, float]
    """The values of all these variables at the operating point."""
    units: dict[str, str | None]
    """Their units."""
    modes: tuple[Mode, ...]
    """The modes, as the command lists them: mode 1 is the first."""
    discrete: dict[str, Any]
    """What holds at the operating point and is not continuous, such as friction that sticks, by its variables."""
    time: float
    """The time [s]."""
    report: str
    """What the command prints."""

    def __str__(self) -> str:
        return self.report


def linearize(
    fmu: str | os.PathLike[str],
    settings: Mapping[str, Any] | None = None,
    /,
    *,
    input: str | os.PathLike[str] | None = None,
    columns: Mapping[str, str | int] | Names = (),
    units: Names = (),
    sheet: str | None = None,
    range: str | None = None,
    decimal: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    skip: Names = (),
    start: float | None = None,
    time: float | None = None,
    inputs: Names | None = None,
    outputs: Names | None = None,
    trim: bool = False,
    free: Names | None = None,
    steady: Names | None = None,
    target: Mapping[str, float] | None = None,
    differences: bool = False,
    response: str | os.PathLike[str] | None = None,
    plot: str | os.PathLike[str] | None = None,
    points: int | None = None,
    animate: str | os.PathLike[str] | None = None,
    mode: int | None = None,
    scale: float | None = None,
    timeout: float | None = None,
    write: Mapping[str, Any] | None = None,
    progress: Progress = False,
    **further: Any,
) -> LinearSystem:
    """Linearises an FMU at its start, at a `time` [s], or with `trim` at a steady state, and returns the linear system.

    `settings`, a dict or arguments, are start values of parameters and inputs. `input` is a file with the signals of inputs, whose
    `columns`, `units`, `sheet` and so on are those of `simulate`. `inputs` and `outputs` name those of the linear system, by default all that are
    continuous. Of the steady state, `free` names states and inputs that may change, `steady` states whose derivatives are
    zero, and `target` gives values of outputs.

    `differences` takes central differences also where the FMU provides derivatives. `response` is a .csv file for the frequency
    response, `plot` a picture of it, at so many `points`; `animate` is a page or a picture of a `mode`, by its number, whose largest
    displacement is the part `scale` of the mechanism.

    `write` has further options of the command, whose names are no arguments: `{"output": "system.mat", "from": 0.1, "to": 100}`;
    `mechanical-fmus linearize --help` lists them. An open model is not needed; its `derivatives` are those of another point.

    `progress` is called with the part of the run up to the `time` that is done; True writes it to the standard error.

    Raises `SimulationError`. What the FMU warns of is a warning of the class `SimulationWarning`.
    """
    reading = table(
        columns, units, skip, sheet=sheet, range=range, decimal=decimal, delimiter=delimiter, encoding=encoding
    )
    skipped = reading.pop("skip", [])
    with tempfile.TemporaryDirectory(prefix="linearize-") as folder:
        file = Path(folder, "system.json")
        given = {
            "input": input, **reading, "start": start, "time": time, "inputs": inputs, "outputs": outputs,
            "trim": trim, "free": free, "steady": steady, "target": target, "differences": differences, "response": response,
            "plot": plot, "points": points, "animate": animate, "mode": mode, "scale": scale, "timeout": timeout, **(write or {}),
        }  # fmt: skip
        options = _program.options(given)
        options += [f"--set={assignment}" for assignment in assignments({**(settings or {}), **further})]
        options += [f"--skip-column={name}" for name in skipped]
        with report(progress) as tell:
            ended = _program.run(["linearize", *options, f"--output={file}", "--", os.fspath(fmu)], tell)
        if ended.status != 0:
            raise ended.failed
        for note in filter(None, ended.notes):
            warnings.warn(_native.in_keywords(note), SimulationWarning, stacklevel=2)
        told = json.loads(file.read_text(encoding="utf-8"))
        printed = "".join(line for line in ended.stdout.splitlines(keepends=True) if line.strip() != str(file))
    channels = [*told["states"], *told["inputs"], *told["outputs"]]
    names = {key: tuple(each["name"] for each in told[key]) for key in ("states", "inputs", "outputs")}
    sizes = {"A": ("states", "states"), "B": ("states", "inputs"), "C": ("outputs", "states"), "D": ("outputs", "inputs")}
    matrices = {key: matrix(told[key], [len(names[size]) for size in shape]) for key, shape in sizes.items()}
    return LinearSystem(
        **matrices,
        **names,
        values={each["name"]: each["value"] for each in channels},
        units={each["name"]: each["unit"] for each in channels},
        modes=tuple(_mode(each) for each in told["modes"]),
        discrete={each["name"]: each["value"] if each["text"] is None else each["text"] for each in told["discrete"]},
        time=told["time"],
        report=printed,
    )


def _mode(told: Mapping[str, Any]) -> Mode:
    shape = tuple(complex(*value) for value in told["shape"])
    return Mode(**{**told, "eigenvalue": complex(*told["eigenvalue"]), "shape": shape})
