"""Results as arrays of NumPy where that is installed, else as lists."""

from __future__ import annotations

import importlib
from array import array
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from ._errors import SimulationError

_EXTRAS = {"pandas": "pandas", "xarray": "xarray", "matplotlib.pyplot": "matplotlib"}


class Trajectory(dict[str, Any]):
    """The results of a simulation: `time` [s] and the recorded variables by their names.

    Truth values are 0 and 1.
    """

    units: dict[str, str | None]
    """The units of the variables, None for those without."""
    title: str
    """The name of the FMU."""
    seconds: float
    """The time that the run took in the process of the FMU [s]."""

    def __init__(
        self, columns: Mapping[str, Any], units: Mapping[str, str | None], title: str = "", seconds: float = 0.0
    ) -> None:
        super().__init__(columns)
        self.units, self.title, self.seconds = dict(units), title, seconds

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with the time as index and a column for each variable; `attrs["units"]` has the units."""
        pandas = needed("pandas")
        index = pandas.Index(self["time"], name="time")
        frame = pandas.DataFrame({name: column for name, column in self.items() if name != "time"}, index=index)
        frame.attrs["units"] = {name: unit for name, unit in self.units.items() if name != "time"}
        return frame

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` over the time, whose variables have the attribute `units`."""
        xarray = needed("xarray")

        def described(name: str) -> Any:
            unit = self.units.get(name)
            return ("time", self[name], {"units": unit} if unit else {})

        variables = {name: described(name) for name in self if name != "time"}
        return xarray.Dataset(variables, coords={"time": described("time")}, attrs={"title": self.title})

    def plot(self, *names: str) -> Any:
        """Draws variables over time, those of a unit in one diagram, and returns the `matplotlib` figure.

        `names` are variables, or the beginnings of their names up to a dot or a bracket; by default all are drawn.
        """
        pyplot = needed("matplotlib.pyplot")
        chosen = [name for name in self if name != "time" and (not names or any(begins(name, part) for part in names))]
        unknown = [part for part in names if not any(begins(name, part) for name in chosen)]
        if unknown or not chosen:
            missing = f"there is no result `{unknown[0]}`" if unknown else "there are no results to draw"
            raise SimulationError(f"{missing}; available: {', '.join(name for name in self if name != 'time')}")
        units = list(dict.fromkeys(self.units.get(name) for name in chosen))
        figure, axes = pyplot.subplots(len(units), 1, sharex=True, squeeze=False, layout="constrained")
        for unit, (ax,) in zip(units, axes):
            for name in chosen:
                if self.units.get(name) == unit:
                    ax.plot(self["time"], self[name], label=name)
            ax.set_ylabel(unit or "")
            ax.legend()
            ax.grid(True)
        axes[-1][0].set_xlabel("time [s]")
        figure.suptitle(self.title)
        return figure


@dataclass(frozen=True)
class Derivatives:
    """The derivatives of some variables with respect to others, at a time."""

    of: tuple[str, ...]
    """The variables that are derived: a row each."""
    by: tuple[str, ...]
    """The variables with respect to which they are: a column each."""
    matrix: Any
    """The derivatives, as an array of NumPy or a list of rows."""
    units: dict[str, str | None]
    """The units of all these variables."""
    exact: bool
    """True if the FMU has computed them, False if they are central differences."""
    time: float
    """The time [s]."""

    def __getitem__(self, names: tuple[str, str]) -> float:
        """The derivative of one variable with respect to another: `derivatives["torque", "flange.phi"]`."""
        of, by = names
        for name, known in ((of, self.of), (by, self.by)):
            if name not in known:
                raise KeyError(f"there is no `{name}`; available: {', '.join(known)}")
        return float(self.matrix[self.of.index(of)][self.by.index(by)])

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return needed("numpy").array(self.matrix, dtype=dtype)

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with a row and a column for each variable."""
        return needed("pandas").DataFrame(self.matrix, index=list(self.of), columns=list(self.by))


@dataclass(frozen=True)
class State:
    """A saved state of a model; it can be pickled, and restored in any model of the same FMU and interface."""

    time: float
    """The time [s]."""
    data: bytes
    """The FMU state as bytes."""


def begins(name: str, part: str) -> bool:
    """True if a name is this one, or begins with it up to a dot or a bracket."""
    return name == part or name.startswith((f"{part}.", f"{part}["))


def needed(package: str) -> Any:
    """A package that is not needed otherwise."""
    try:
        return importlib.import_module(package)
    except ImportError:
        name = _EXTRAS.get(package, package)
        raise ImportError(f"{name} is not installed: pip install {name}") from None


def numbers(data: bytearray) -> Any:
    """Numbers from bytes."""
    try:
        numpy: Any = importlib.import_module("numpy")
    except ImportError:
        return array("d", bytes(data)).tolist()
    return numpy.frombuffer(data, dtype="<f8")


def shaped(values: Any, shape: Sequence[int]) -> Any:
    """Numbers in a shape."""
    if hasattr(values, "reshape"):
        return values.reshape(tuple(shape))
    for size in map(lambda size: max(size, 1), reversed(shape[1:])):
        values = [values[begin : begin + size] for begin in range(0, len(values), size)]
    return values


def matrix(rows: Sequence[Sequence[float]], shape: Sequence[int]) -> Any:
    """Rows as an array, which has its shape also if it is empty."""
    try:
        numpy: Any = importlib.import_module("numpy")
    except ImportError:
        return rows
    return numpy.array(rows, dtype=float).reshape(tuple(shape))
