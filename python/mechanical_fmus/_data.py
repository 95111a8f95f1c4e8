"""What is told of components and FMUs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Mapping


@dataclass(frozen=True)
class Component:
    """A component."""

    name: str
    description: str


@dataclass(frozen=True)
class Variable:
    """A structure option, a variable or an attachment; an array is one variable."""

    name: str
    kind: Literal["structure", "parameter", "input", "output", "attachment"]
    type: str
    """`Real`, `Integer`, `Boolean`, `String`, or the name of an enumeration."""
    shape: tuple[int, ...]
    """Its sizes; empty for a scalar."""
    unit: str | None
    quantity: str | None
    """Its quantity, such as `Torque`."""
    value: Any
    """Its start value: a number, a bool, a text or, row by row, a list; None if it has none."""
    min: float | None
    """Its smallest value."""
    max: float | None
    """Its largest value."""
    choices: tuple[str, ...]
    """The words that it takes, if these are listed."""
    description: str


@dataclass(frozen=True)
class PartType:
    """A type of parts of systems, with the variables of one part."""

    name: str
    description: str
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Problem:
    """What an importer has found in an FMU."""

    file: str
    """The FMU."""
    by: str
    """The importer, with its version."""
    severity: Literal["error", "warning", "style"]
    """What is against the standard or does not run; what importers stumble over; a habit of this project."""
    text: str

    def __str__(self) -> str:
        severity = "" if self.severity == "error" else f"{self.severity}: "
        return f"{self.file}: {self.by}: {severity}{self.text}"


def variables(known: Mapping[str, Any]) -> list[Variable]:
    """The variables of a component or an FMU, from JSON."""
    return [
        Variable(**{**each, "shape": tuple(each["shape"]), "choices": tuple(each["choices"])})
        for each in known.get("variables", [])
    ]
