"""Runs and checks FMUs: in a process of its own, since the code of an FMU may end its process."""

from __future__ import annotations

import csv
import importlib
import itertools
import json
import os
import re
import subprocess
import tempfile
import warnings
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

from . import _native
from ._command import COMMAND, FOLDER
from ._data import Problem, Variable, variables
from ._settings import toml


# Rows that are written at a time.
_CHUNK = 10_000


class SimulationError(RuntimeError):
    """A simulation that cannot be made, or has failed; the message says why."""


class SimulationWarning(UserWarning):
    """What an FMU warns of, and what one should know of a simulation."""


def validate(
    *files: str | os.PathLike[str], strict: bool = False, timeout: float | None = None
) -> list[Problem]:
    """Checks FMUs by our rules, runs them in both interfaces, and lets FMPy check them where that is installed.

    Returns the problems; with `strict`, warnings and matters of style, too. It is a problem if the code of an FMU ends its
    process, or a call takes longer than `timeout` [s], by default 60. Raises `SimulationError` if FMUs cannot be checked.
    """
    arguments = [*COMMAND, "validate", "--json"]
    if timeout is not None:
        arguments.append(f"--timeout={timeout}")
    ended = _ended([*arguments, "--", *(os.fspath(file) for file in files)])
    verdicts = [json.loads(line) for line in ended.stdout.splitlines()]
    checked = {verdict["file"] for verdict in verdicts}
    failed = any(problem["severity"] == "error" for verdict in verdicts for problem in verdict["problems"])
    if len(checked) != len({os.fspath(file) for file in files}) or (ended.returncode != 0 and not failed):
        raise SimulationError(_said(ended))
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
    sheet: str | None = None,
    skip: str | Sequence[str] = (),
    start: float | None = None,
    stop: float | None = None,
    step: float | None = None,
    interface: str | None = None,
    show: str | Sequence[str] = (),
    timeout: float | None = None,
    **further: Any,
) -> dict[str, Any]:
    """Simulates an FMU and returns its outputs over time.

    `settings`, a dict or arguments, are start values of parameters and inputs, in the units that `info` gives. `input` has the signals of inputs: a
    dict or a frame with `time` [s] and a column for each input, of which arrays have one axis more
    (`{"time": t, "frame_b.r_0": r}` with `r` of the shape (len(t), 3)); or a file, with the name of its `sheet` if it is a workbook
    of several. `skip` names columns to leave out. Continuous inputs are interpolated linearly. `start`, `stop` and the communication step `step` [s] are by default those of the input and of the FMU.
    `interface` is `"co-simulation"` or `"model-exchange"`. `show` names variables to record that are no outputs, or the
    beginnings of their names up to a dot or a bracket.

    The dict has `time` and all recorded variables by their names, as arrays of NumPy where that is installed, else as lists:
    `pandas.DataFrame(simulate(…))` makes a frame of it. Truth values are 0 and 1.

    Raises `SimulationError`. What the FMU warns of is a warning of the class `SimulationWarning`.
    """
    arguments = ["simulate", "--", os.fspath(fmu)]
    options: list[str] = []
    given = {"sheet": sheet, "start": start, "stop": stop, "step": step, "timeout": timeout, "interface": interface}
    for name, value in given.items():
        if value is not None:
            options.append(f"--{name}={value}")
    for name, value in {**(settings or {}), **further}.items():
        if value is None:
            continue
        options.append(f"--set={name}={value if isinstance(value, str) else toml(name, value)}")
    options += [f"--skip-column={name}" for name in ([skip] if isinstance(skip, str) else skip)]
    options += [f"--show={name}" for name in ([show] if isinstance(show, str) else show)]
    with tempfile.TemporaryDirectory(prefix="simulate-") as folder:
        output = Path(folder, "output.csv")
        written: Path | None = None
        if isinstance(input, (str, os.PathLike)):
            options.append(f"--input={os.fspath(input)}")
        elif input is not None:
            written = _written(input, folder, _shapes(fmu))
            options.append(f"--input={written}")
        ended = _ended([*COMMAND, arguments[0], *options, f"--output={output}", *arguments[1:]])
        if ended.returncode != 0:
            raise SimulationError(_of_signals(_said(ended), written))
        for line in ended.stderr.splitlines():
            warnings.warn(_native.in_keywords(line), SimulationWarning, stacklevel=2)
        return _read(output)


def _ended(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")


def _said(ended: subprocess.CompletedProcess[str]) -> str:
    """The message of a program that has failed."""
    message = ended.stderr.strip().removeprefix("error: ")
    # How the command is used is no help here.
    for behind in ["\n\nUsage: ", "\n\nFor more information, "]:
        message = message.split(behind)[0]
    return _native.in_keywords(message) or f"ended with the status {ended.returncode}"


def _of_signals(message: str, written: Path | None) -> str:
    """A message about the table of signals in terms of these: it has a line for each time, after the names."""
    begin = f"{written} cannot be used as input: "
    if written is None or not message.startswith(begin):
        return message
    text = re.sub(r"^line (\d+)", lambda line: f"at index {int(line[1]) - 2}", message.removeprefix(begin))
    return f"the input cannot be used: {text}"


def _shapes(fmu: str | os.PathLike[str]) -> dict[str, tuple[int, ...]]:
    """The shapes of the inputs of an FMU, as far as its description can be read here."""
    try:
        known: list[Variable] = variables(json.loads(_native.info(FOLDER, (None, Path(fmu), None, []))))
    except (OSError, ValueError):
        return {}
    return {variable.name: variable.shape for variable in known if variable.kind == "input"}


def _written(signals: Any, folder: str, shapes: Mapping[str, tuple[int, ...]]) -> Path:
    """A table of signals: a dict, a frame, or an array with named fields."""
    names = getattr(getattr(signals, "dtype", None), "names", None)
    if names is None and not (isinstance(signals, Mapping) or hasattr(signals, "columns")):
        raise TypeError(f"an input is a file, a dict or a frame, not of the type {type(signals).__name__}")
    columns = {str(name): _column(str(name), signals[name]) for name in (names or list(signals))}
    time = next((name for name in columns if name.split("[")[0].strip().lower() == "time"), None)
    if time is None:
        raise SimulationError("the input has no \"time\": the times of the values [s] are needed, too")
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise SimulationError(f"the input has columns of different lengths: {lengths}")
    columns = {time: columns.pop(time), **columns}
    given = {name: _shape(column)[1:] for name, column in columns.items()}
    for name, shape in given.items():
        is_element = name == time or name not in shapes and name.split("[")[0] in shapes
        needed = () if is_element else shapes.get(name, shape)
        if len(columns[name]) > 0 and shape != needed:
            raise SimulationError(f"the input {name} has values of the shape {shape}, but needs {needed}")
    file = Path(folder, "input.csv")
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(title for name, shape in given.items() for title in _titles(name, shape))
        # Millions of rows are never all there as objects of Python.
        for begin in range(0, max(lengths.values(), default=0), _CHUNK):
            rows = [_rows(name, column[begin : begin + _CHUNK], given[name]) for name, column in columns.items()]
            writer.writerows([value for row in several for value in row] for several in zip(*rows))
    return file


def _column(name: str, values: Any) -> Any:
    """Arrays of numbers as they are, others as lists."""
    values = values.to_numpy() if hasattr(values, "to_numpy") else values
    if getattr(getattr(values, "dtype", None), "kind", None) in ("M", "m"):
        raise SimulationError(
            f"the input {name} has values of the type {values.dtype}: numbers are needed, as seconds by "
            "(dates - dates[0]) / numpy.timedelta64(1, 's')"
        )
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__iter__") or getattr(values, "shape", None) == ():
        raise SimulationError(f"the input {name} has one value for all times: a value for each time is needed, or a setting")
    return values if hasattr(values, "dtype") and values.dtype != object else list(values)


def _shape(value: Any) -> tuple[int, ...]:
    """The sizes of an array or of nested lists."""
    if hasattr(value, "shape"):
        return tuple(value.shape)
    if isinstance(value, (list, tuple)):
        return (len(value), *(_shape(value[0]) if value else ()))
    return ()


def _titles(name: str, shape: tuple[int, ...]) -> Iterator[str]:
    """The names of the elements of an array, by rows: `R[1,2]`."""
    for indices in itertools.product(*(range(1, size + 1) for size in shape)):
        yield f"{name}[{','.join(map(str, indices))}]" if indices else name


def _rows(name: str, values: Any, shape: tuple[int, ...]) -> list[list[Any]]:
    """The values of a signal at some times, each as a list of its elements."""

    def elements(value: Any, shape: tuple[int, ...]) -> Iterator[Any]:
        value = value.tolist() if hasattr(value, "tolist") else value
        if value is None:
            raise SimulationError(f"the input {name} has no value at some time, but None or a masked one")
        if isinstance(value, (list, tuple)) != bool(shape) or (shape and len(value) != shape[0]):
            raise SimulationError(f"the input {name} has values of different shapes")
        if shape:
            for element in value:
                yield from elements(element, shape[1:])
        else:
            yield str(value).lower() if isinstance(value, bool) else value

    return [list(elements(value, shape)) for value in (values.tolist() if hasattr(values, "tolist") else values)]


def _read(file: Path) -> dict[str, Any]:
    """The columns of a table of numbers."""
    with file.open(newline="", encoding="utf-8") as stream:
        rows = csv.reader(stream)
        names = next(rows)
        try:
            numpy: Any = importlib.import_module("numpy")
        except ImportError:
            return dict(zip(names, map(list, zip(*(map(float, row) for row in rows)))))
        table = numpy.loadtxt(stream, delimiter=",", ndmin=2)
        return {name: numpy.ascontiguousarray(column) for name, column in zip(names, table.T)}
