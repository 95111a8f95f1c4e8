"""Signals of inputs: columns of numbers and texts."""

from __future__ import annotations

import importlib
import itertools
from array import array
from typing import Any, Iterator, Mapping

from ._errors import SimulationError
from ._worker import Buffer

Columns = list[tuple[str, list[str] | None]]
"""Headings, with the values where these are texts."""


def columns(signals: Any, shapes: Mapping[str, tuple[int, ...]]) -> tuple[int, Columns, list[Buffer]]:
    """The number of values, the columns, and the numbers of a dict, a frame, or an array with named fields."""
    names = getattr(getattr(signals, "dtype", None), "names", None)
    if names is None and not (isinstance(signals, Mapping) or hasattr(signals, "columns")):
        raise TypeError(f"an input is a file, a dict or a frame, not of the type {type(signals).__name__}")
    given = {str(name): _column(str(name), signals[name]) for name in (names or list(signals))}
    time = next((name for name in given if name.split("[")[0].strip().lower() == "time"), None)
    if time is None:
        raise SimulationError("the input has no \"time\": the times of the values [s] are needed, too")
    lengths = {name: len(column) for name, column in given.items()}
    if len(set(lengths.values())) > 1:
        raise SimulationError(f"the input has columns of different lengths: {lengths}")
    given = {time: given.pop(time), **given}
    headings: Columns = []
    numbers: list[Buffer] = []
    for name, values in given.items():
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
