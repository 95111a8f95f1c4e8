"""Runs and checks FMUs: in a process of its own, since the code of an FMU may end its process."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Mapping, Sequence

from . import _program
from ._data import Problem
from ._errors import SimulationWarning
from ._model import Model, Progress, report
from ._results import Trajectory
from ._signals import table


def validate(
    *files: str | os.PathLike[str], strict: bool = False, timeout: float | None = None, progress: Progress = False
) -> list[Problem]:
    """Checks FMUs by our rules, runs them in both interfaces, and lets FMPy check them where that is installed.

    Returns the problems; with `strict`, warnings and matters of style, too. It is a problem if the code of an FMU ends its
    process, or a call takes longer than `timeout` [s], by default 60. `progress` is called with the part of the FMUs that are
    checked; True writes it to the standard error. Raises `SimulationError` if FMUs cannot be checked.
    """
    arguments = ["validate", "--json"]
    if timeout is not None:
        arguments.append(f"--timeout={timeout}")
    with report(progress) as told:
        ended = _program.run([*arguments, "--", *(os.fspath(file) for file in files)], told)
    verdicts = [json.loads(line) for line in ended.stdout.splitlines()]
    checked = {verdict["file"] for verdict in verdicts}
    failed = any(problem["severity"] == "error" for verdict in verdicts for problem in verdict["problems"])
    if len(checked) != len({os.fspath(file) for file in files}) or (ended.status != 0 and not failed):
        raise ended.failed
    return [
        Problem(verdict["file"], verdict["by"], **problem)
        for verdict in verdicts
        for problem in verdict["problems"]
        if problem["severity"] in (("error", "warning", "style") if strict else ("error",))
    ]


def simulate(
    fmu: str | os.PathLike[str],
    settings: Mapping[str, Any] | None = None,
    /,
    *,
    input: Any = None,
    columns: Mapping[str, str | int] | str | Sequence[str] = (),
    units: str | Sequence[str] = (),
    sheet: str | None = None,
    range: str | None = None,
    decimal: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    skip: str | Sequence[str] = (),
    start: float | None = None,
    stop: float | None = None,
    step: float | None = None,
    interface: str | None = None,
    show: str | Sequence[str] = (),
    event_mode: bool = False,
    timeout: float | None = None,
    progress: Progress = False,
    **further: Any,
) -> Trajectory:
    """Simulates an FMU and returns its outputs over time; `open` is for many runs.

    `settings`, a dict or arguments, are start values of parameters and inputs, in the units that `info` gives. `input` has the signals of inputs: a
    dict or a frame with `time` [s] and a column for each input, of which arrays have one axis more
    (`{"time": t, "frame_b.r_0": r}` with `r` of the shape (len(t), 3)); or a file, for which `columns`, `units`, `sheet`, `range`,
    `decimal`, `delimiter` and `encoding` are those of `Model.simulate`. `skip` names columns to leave out. Continuous inputs
    are interpolated linearly. `start`, `stop` and the communication step `step` [s] are by default those of the input and of
    the FMU. `interface` is `"co-simulation"` or `"model-exchange"`. `show` names variables to record that are no outputs, or the
    beginnings of their names up to a dot or a bracket. With `event_mode`, events inside of steps of FMI 3.0 are handled. A call into
    the FMU may take `timeout` [s], by default 60. `progress` is called with the part of the run that is done, about ten times a
    second; True writes it to the standard error.

    The dict has `time` and all recorded variables by their names, as arrays of NumPy where that is installed, else as lists.
    Truth values are 0 and 1. It has the units of the variables, and turns into a frame of pandas or a figure: see `Trajectory`.

    Raises `SimulationError`. What the FMU warns of is a warning of the class `SimulationWarning`.
    """
    reading = table(
        columns, units, skip, sheet=sheet, range=range, decimal=decimal, delimiter=delimiter, encoding=encoding
    )
    with Model(fmu, {}, interface, event_mode, timeout) as model:
        trajectory, notes = model._simulate(
            {**(settings or {}), **further}, input, reading, start, stop, step, show, None, False, progress
        )
    for note in notes:
        warnings.warn(note, SimulationWarning, stacklevel=2)
    return trajectory
