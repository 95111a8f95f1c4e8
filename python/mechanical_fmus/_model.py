"""A model that stays open, in a process of its own, since the code of an FMU may end its process."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import threading
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Iterator, Mapping, Sequence

from . import _native
from ._command import FOLDER
from ._data import Variable, variables
from ._errors import FmuEndedError, ModelClosedError, SimulationError, SimulationWarning
from ._results import Derivatives, State, Trajectory, numbers, shaped
from ._settings import toml
from ._signals import signals, table
from ._worker import Buffer, Worker

# Limit for a single call into the FMU, as that of the command, in s.
_TIMEOUT = 60.0

Progress = Callable[[float], None] | bool


def open(
    fmu: str | os.PathLike[str],
    settings: Mapping[str, Any] | None = None,
    /,
    *,
    interface: str | None = None,
    event_mode: bool = False,
    new_instances: bool = False,
    timeout: float | None = None,
    **further: Any,
) -> Model:
    """Opens an FMU for many runs.

        with mechanical_fmus.open("Front.fmu", TS=[1e6, 1e6, 2e5]) as model:
            loads = model.simulate(stop=0.5)

    `settings`, a dict or arguments, are start values of parameters and inputs for all runs, in the units that `info` gives.
    `interface` is `"co-simulation"` or `"model-exchange"`; with `event_mode`, events inside of steps of FMI 3.0 are handled.
    Runs reset one instance; with `new_instances` each has a new one, for an FMU that cannot be reset properly.
    The FMU is loaded once, in a process of its own: if its code ends that process, or a call into it takes longer than
    `timeout` [s], by default 60, there is a `FmuEndedError`, and the next call starts a new process.

    Raises `SimulationError`.
    """
    return Model(fmu, {**(settings or {}), **further}, interface, event_mode, timeout, new_instances)


class Model:
    """A model that stays open, made by `open`.

    It is at a point in time: at first at its start, after `simulate` at the end of that run. `get`, `derivatives` and `state`
    tell of this point. Each run of `simulate` begins at the start again, or at a `State`. It may be used from several threads,
    one call after another.
    """

    def __init__(
        self,
        fmu: str | os.PathLike[str],
        settings: Mapping[str, Any],
        interface: str | None,
        event_mode: bool,
        timeout: float | None,
        new_instances: bool = False,
    ) -> None:
        self.path = Path(fmu)
        """The file."""
        limit = _TIMEOUT if timeout is None else _number("timeout", timeout)
        if not (math.isfinite(limit) and limit > 0.0):
            raise SimulationError(f"timeout: must be a positive number of seconds, not {timeout}")
        self._limit = limit
        self._open = {
            "file": os.fspath(self.path),
            "interface": interface,
            "event_mode": event_mode,
            "new_instances": new_instances,
            "timeout": limit,
            "values": assignments(settings),
        }
        self._set: list[list[str]] = []
        self._columns: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        self._shapes: dict[str, tuple[int, ...]] | None = None
        self._worker: Worker | None = None
        self._closed = False
        self._owner = os.getpid()
        # To which the path is relative, also when the process is started again.
        self._current = os.getcwd()
        self._lock = threading.RLock()
        self._request("reset", None)

    def __enter__(self) -> Model:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Model {self.path}{', closed' if self._closed else ''}>"

    def close(self) -> None:
        """Ends the process of the model. Calls raise `ModelClosedError` afterwards."""
        with self._lock:
            self._closed = True
            worker, self._worker = self._worker, None
            if worker and self._owner == os.getpid():
                worker.close()

    @property
    def variables(self) -> list[Variable]:
        """The parameters, inputs and outputs, as `info` tells them."""
        return variables(json.loads(_native.info(FOLDER, (None, Path(self._current, self.path), None, []))))

    @property
    def pid(self) -> int | None:
        """The number of the process that has loaded the FMU; None if there is none at present."""
        return self._worker.pid if self._worker else None

    def simulate(
        self,
        set: Mapping[str, Any] | None = None,
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
        show: str | Sequence[str] = (),
        state: State | None = None,
        open_end: bool = False,
        progress: Progress = False,
        **further: Any,
    ) -> Trajectory:
        """Runs the model and returns its outputs over time.

        `set`, a dict or arguments, are start values for this run only, in the units that `info` gives. `input` has the signals
        of inputs: a dict or a frame with `time` [s] and a column for each input, of which arrays have one axis more
        (`{"time": t, "frame_b.r_0": r}` with `r` of the shape (len(t), 3)); or a file. `skip` names columns to leave out. Continuous inputs are interpolated
        linearly. `start`, `stop` and the communication step `step` [s] are by default those of the input and of the FMU. `show`
        names variables to record that are no outputs, or the beginnings of their names up to a dot or a bracket.

        If the headings of a file are not names, `columns` has the headings or numbers of the columns:
        `{"time": "Zeit", "flange_a.w": 3}`; no others are read. `units` are units in the same order, whatever the file says.
        `sheet`, `range` (`"B4:E60"`), `decimal`, `delimiter` and `encoding` say how it is read, where that is not clear.

        With `state`, the run goes on from there: it begins at the time of the state, and `set` are values of inputs and
        tunable parameters from then on. An FMU may refuse to go beyond the stop time that it was told; with `open_end` it is
        told none, so that later runs can go on from the end of this one. `progress` is called with the part of the run that is done, about ten times a second;
        True writes it to the standard error.

        Raises `SimulationError`. What the FMU warns of is a warning of the class `SimulationWarning`. Ctrl-C ends the run.
        """
        reading = table(
            columns, units, skip, sheet=sheet, range=range, decimal=decimal, delimiter=delimiter, encoding=encoding
        )
        trajectory, notes = self._simulate(
            {**(set or {}), **further}, input, reading, start, stop, step, show, state, open_end, progress
        )
        for note in notes:
            warnings.warn(note, SimulationWarning, stacklevel=2)
        return trajectory

    def _simulate(
        self,
        given: Mapping[str, Any],
        input: Any,
        reading: Mapping[str, Any],
        start: float | None,
        stop: float | None,
        step: float | None,
        show: str | Sequence[str],
        state: State | None,
        open_end: bool,
        progress: Progress,
    ) -> tuple[Trajectory, list[str]]:
        shown = (show,) if isinstance(show, str) else tuple(show)
        run: dict[str, Any] = {"values": assignments(given), "show": shown, "open_end": open_end}
        for name, value in {"start": start, "stop": stop, "step": step}.items():
            if value is not None:
                run[name] = _number(name, value)
        data: list[Buffer] = []
        skipped = reading.get("skip", [])
        if isinstance(input, (str, os.PathLike)):
            of_file = {key: value for key, value in reading.items() if key != "skip"}
            run["input"] = {"file": {"path": self._seen(input), "table": of_file, "skip": skipped}}
        elif input is None:
            for key in reading:
                raise SimulationError(f"{key} needs an input")
        else:
            for key in reading:
                if key != "skip":
                    raise SimulationError(f"{key} is for an input that is a file")
            rows, headings, data = signals(input, self._input_shapes())
            run["input"] = {"columns": {"rows": rows, "columns": headings, "skip": skipped}}
        if state is not None:
            if not isinstance(state, State):
                raise TypeError(f"a state is one that `model.state` gave, not of the type {type(state).__name__}")
            run["state"] = state.time
            data.append(state.data)
        known = self._columns.get(shown)
        run["describe"] = known is None
        with report(progress) as told:
            reply, received = self._request("simulate", run, data, told)
        if known is None:
            known = self._columns[shown] = reply["columns"]
        rows = reply["rows"]
        table = numbers(received)
        names = ["time", *(column["name"] for column in known)]
        parts = {name: table[i * rows : (i + 1) * rows] for i, name in enumerate(names)}
        units = {"time": "s", **{column["name"]: column["unit"] for column in known}}
        return Trajectory(parts, units, self.path.stem, reply["seconds"]), [_native.in_keywords(note) for note in reply["notes"]]

    def reset(self) -> None:
        """Goes back to the start, with the values of `open`: forgets those of `set`."""
        with self._lock:
            self._request("reset", None)
            self._set.clear()

    def set(self, values: Mapping[str, Any] | None = None, /, **further: Any) -> None:
        """Gives values to parameters and inputs, for all later runs until `reset`.

        Inputs and tunable parameters take them at the present point as well. A fixed parameter holds from the start on, where the
        model then is again. Raises `SimulationError`.
        """
        given = assignments({**(values or {}), **further})
        with self._lock:
            self._request("set", {"values": given})
            self._set.append(given)

    def get(self, names: str | Sequence[str], /) -> Any:
        """The value of a variable at the present point: a number, a truth value, a text or an array; of several names a dict.

        Raises `SimulationError` if there is no such variable.
        """
        wanted = _names(names) or []
        reply, received = self._request("get", {"names": wanted})
        table, begin, values = numbers(received), 0, {}
        for name, told in zip(wanted, reply["values"]):
            kind, shape = told["kind"], told["shape"]
            if kind == "string":
                values[name] = shaped(told["texts"], shape) if shape else told["texts"][0]
                continue
            size = math.prod(shape)
            elements = table[begin : begin + size]
            begin += size
            of: Any = {"real": float, "integer": int, "boolean": bool}[kind]
            if not shape:
                values[name] = of(elements[0])
            elif hasattr(elements, "astype"):
                values[name] = elements.astype(of).reshape(shape)
            else:
                values[name] = shaped([of(element) for element in elements], shape)
        return values[names] if isinstance(names, str) else values

    @property
    def time(self) -> float:
        """The time of the present point [s]."""
        reply, _ = self._request("get", {"names": []})
        return float(reply["time"])

    def derivatives(
        self, of: str | Sequence[str] | None = None, by: str | Sequence[str] | None = None
    ) -> Derivatives:
        """The derivatives of some variables with respect to others, at the present point.

        `of` are names of continuous variables, by default those of all outputs, and in Model Exchange of the derivatives of
        states before them. `by` are names of continuous inputs and, in Model Exchange, of states, by default all, states
        first; so the default of Model Exchange is the matrix [[A, B], [C, D]] of the linear system. They are exact where
        the FMU has directional derivatives, else central differences. Raises `SimulationError`.
        """
        reply, received = self._request("derivatives", {"of": _names(of), "by": _names(by)})
        rows, cols = ([column["name"] for column in reply[key]] for key in ("of", "by"))
        units = {column["name"]: column["unit"] for column in [*reply["of"], *reply["by"]]}
        matrix = shaped(numbers(received), (len(rows), len(cols)))
        return Derivatives(tuple(rows), tuple(cols), matrix, units, reply["exact"], reply["time"])

    def directional_derivative(
        self, of: str | Sequence[str] | None, by: str | Sequence[str] | None, along: Sequence[float]
    ) -> Any:
        """The derivatives of variables along a direction, at the present point: an array with a number for each of `of`.

        `of` and `by` are those of `derivatives`, and `along` has a number for each scalar of `by`. The FMU computes that at
        once, while `derivatives` needs as many evaluations as `by` has scalars. Raises `SimulationError`.
        """
        direction = [float(part) for part in along]
        _, received = self._request("derivatives", {"of": _names(of), "by": _names(by), "along": direction})
        return numbers(received)

    @property
    def state(self) -> State:
        """The state at the present point. Assigning a state goes to its point.

        Raises `SimulationError` if the FMU cannot serialize its state.
        """
        reply, received = self._request("save", None)
        return State(reply["time"], bytes(received))

    @state.setter
    def state(self, state: State) -> None:
        if not isinstance(state, State):
            raise TypeError(f"a state is one that `model.state` gave, not of the type {type(state).__name__}")
        self._request("restore", {"time": state.time}, [state.data])

    def _seen(self, file: str | os.PathLike[str]) -> str:
        """The path of a file for the process."""
        return os.fspath(file) if os.getcwd() == self._current else os.path.abspath(file)

    def _input_shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shapes of the inputs, as far as the description can be read here."""
        if self._shapes is None:
            try:
                known = self.variables
            except (OSError, ValueError):
                known = []
            self._shapes = {variable.name: variable.shape for variable in known if variable.kind == "input"}
        return self._shapes

    def _request(
        self,
        name: str,
        content: Any,
        data: Sequence[Buffer] = (),
        progress: Callable[[float], None] | None = None,
    ) -> tuple[Any, bytearray]:
        """Sends a request to the process, which is started if there is none."""
        if self._owner != os.getpid():
            raise SimulationError(f"{self.path} was opened by another process: open it again in this one")
        with self._lock:
            if self._closed:
                raise ModelClosedError(f"{self.path} is closed: open it again")
            try:
                worker = self._worker or self._start()
                return worker.request(name, content, data, progress)
            except FmuEndedError as error:
                self._worker = None
                raise FmuEndedError(f"{self.path}: {error}") from None
            except SimulationError:
                raise
            except BaseException:
                self._worker = None
                raise

    def _start(self) -> Worker:
        """Starts the process, and brings the model there to its start."""
        worker = Worker(self._current, self._limit)
        try:
            worker.request("open", self._open)
            for values in self._set:
                worker.request("set", {"values": values})
        except BaseException:
            worker.kill()
            raise
        self._worker = worker
        return worker


def assignments(values: Mapping[str, Any]) -> list[str]:
    """Values as the command takes them."""
    given = ((name, value) for name, value in values.items() if value is not None)
    return [f"{name}={value if isinstance(value, str) else toml(name, value)}" for name, value in given]


def _names(given: str | Sequence[str] | None) -> list[str] | None:
    return [given] if isinstance(given, str) else None if given is None else list(given)


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise SimulationError(f"{name}: {value!r} is no number of seconds") from None


@contextlib.contextmanager
def report(progress: Progress) -> Iterator[Callable[[float], None] | None]:
    """What is called with the part that is done."""
    if progress is not True:
        yield progress or None
        return

    def write(part: float) -> None:
        print(f"\r{100.0 * part:3.0f} %", end="", file=sys.stderr, flush=True)

    try:
        yield write
    finally:
        print("\r", end="", file=sys.stderr)
