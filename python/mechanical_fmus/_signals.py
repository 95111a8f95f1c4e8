"""Signals of inputs: columns of numbers and texts."""

from __future__ import annotations

import importlib
import itertools
from array import array
from typing import Any, Iterator, Mapping, Sequence

from ._errors import SimulationError
from ._worker import Buffer

Columns = list[tuple[str, list[str] | None]]
"""Headings, with the values where these are texts."""


_Names = str | Sequence[str]


def table(
    columns: Mapping[str, str | int] | _Names, units: _Names, skip: _Names, **texts: str | None
) -> dict[str, Any]:
    """What is said of the table of an input, as the options of the command."""
    named = [f"{name}={column}" for name, column in columns.items()] if isinstance(columns, Mapping) else _list(columns)
    given = {"columns": named, "units": _list(units), "skip": _list(skip), **texts}
    return {key: value for key, value in given.items() if value not in (None, [])}


def _list(names: _Names) -> list[str]:
    return [names] if isinstance(names, str) else [str(name) for name in names]


def signals(given: Any, shapes: Mapping[str, tuple[int, ...]]) -> tuple[int, Columns, list[Buffer]]:
    """The number of values, the columns, and the numbers of a dict, a frame, or an array with named fields."""
    names = getattr(getattr(given, "dtype", None), "names", None)
    if names is None and not (isinstance(given, Mapping) or hasattr(given, "columns")):
        raise TypeError(f"an input is a file, a dict or a frame, not of the type {type(given).__name__}")
    found = {str(name): _column(str(name), given[name]) for name in (names or list(given))}
    time = next((name for name in found if name.split("[")[0].strip().lower() == "time"), None)
    if time is None:
        raise SimulationError("the input has no \"time\": the times of the values [s] are needed, too")
    lengths = {name: len(column) for name, column in found.items()}
    if len(set(lengths.values())) > 1:
        raise SimulationError(f"the input has columns of different lengths: {lengths}")
    found = {time: found.pop(time), **found}
    headings: Columns = []
    numbers: list[Buffer] = []
    for name, values in found.items():
        shape = _shape(values)[1:]
        is_element = name == time or name not in shapes and name.split("[")[0] in shapes
        needed = () if is_element else shapes.get(name, shape)
        if len(values) > 0 and shape != needed:
            raise SimulationError(f"the input {name} has values of the shape {shape}, but needs {needed}")
        for title, packed in zip(_titles(name, shape), _packed(name, values, shape)):
            is_text = isinstance(packed, list)
            headings.append((title, packed if is_text else None))
            if not is_text:
                numbers.append(packed)
    return lengths[time], headings, numbers


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


def _packed(name: str, values: Any, shape: tuple[int, ...]) -> Iterator[Any]:
    """The column of each element: numbers as bytes, or a list of texts."""
    if getattr(getattr(values, "dtype", None), "kind", None) in ("f", "i", "u", "b"):
        numpy: Any = importlib.import_module("numpy")
        if numpy.ma.is_masked(values):
            raise SimulationError(_missing(name))
        numbers = numpy.asarray(values, dtype="<f8").reshape(len(values), -1)
        for column in numbers.T:
            yield memoryview(numpy.ascontiguousarray(column)).cast("B")
        return
    rows = [list(_elements(name, value, shape)) for value in (values.tolist() if hasattr(values, "tolist") else values)]
    for column in zip(*rows) if rows else [()] * len(list(_titles(name, shape))):
        try:
            yield array("d", column).tobytes()
        except (TypeError, OverflowError):
            yield [str(value).lower() if isinstance(value, bool) else str(value) for value in column]


def _elements(name: str, value: Any, shape: tuple[int, ...]) -> Iterator[Any]:
    """The elements of the value at one time, by rows."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if value is None:
        raise SimulationError(_missing(name))
    if isinstance(value, (list, tuple)) != bool(shape) or (shape and len(value) != shape[0]):
        raise SimulationError(f"the input {name} has values of different shapes")
    if not shape:
        yield value
        return
    for element in value:
        yield from _elements(name, element, shape[1:])


def _missing(name: str) -> str:
    return f"the input {name} has no value at some time, but None or a masked one"
