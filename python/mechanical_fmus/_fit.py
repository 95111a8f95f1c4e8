"""Parameters from measurements, as the command `fit` finds them."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping

from . import _native, _program
from ._errors import SimulationError, SimulationWarning
from ._model import Progress, report
from ._plan import in_dict, written
from ._results import matrix, needed


@dataclass(frozen=True)
class Estimate:
    """A parameter that was found."""

    name: str
    unit: str | None
    value: float
    start: float
    """The value with which the search began."""
    interval: tuple[float, float] | None
    """The 95 % interval; None if the data do not determine the parameter."""
    at_bound: bool
    """True if it is at one of its bounds, and taken as known there."""


@dataclass(frozen=True)
class Measurement:
    """A measured output of an experiment, beside the runs."""

    experiment: str
    output: str
    unit: str | None
    along: str
    """What the rows are measured along: `time [s]` or `frequency [Hz]`."""
    places: Any
    """The times or frequencies of the rows."""
    measured: Any
    """The measured values; not a number (nan) where a cell was empty."""
    before: Any
    """The values with the start values of the parameters."""
    after: Any
    """The values with the parameters that were found."""
    deviation: float
    """The standard deviation of the errors of measurement, given or estimated."""

    @property
    def residuals(self) -> Any:
        """What the fit leaves: the values after it minus the measured ones."""
        if hasattr(self.after, "dtype"):
            return self.after - self.measured
        return [after - measured for after, measured in zip(self.after, self.measured)]


@dataclass(frozen=True)
class Fit:
    """The result of a fit, which `build` takes in place of the file of the configuration.

    Of tables of rubber, it has the file and the report only.
    """

    file: Path
    """The configuration with the values that were found."""
    estimates: dict[str, Estimate]
    """The parameters by their names."""
    correlation: Any
    """The correlations of the errors, with a row and a column for each parameter in their order."""
    measurements: tuple[Measurement, ...]
    """The measured outputs of all experiments."""
    iterations: int
    warnings: tuple[str, ...]
    """What is doubtful, such as parameters that the data cannot tell apart."""
    notes: tuple[str, ...]
    """How the files were read: their columns and units."""
    report: str
    """What the command prints."""

    def __fspath__(self) -> str:
        return os.fspath(self.file)

    def __str__(self) -> str:
        return self.report

    def __getitem__(self, name: str) -> float:
        """The value of a parameter: `found["shaft.c"]`."""
        if name not in self.estimates:
            raise KeyError(f"there is no `{name}`; available: {', '.join(self.estimates)}")
        return self.estimates[name].value

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` of the estimates, with a row for each parameter."""
        rows = [
            {"value": each.value, "from": low, "to": high, "start": each.start, "unit": each.unit}
            for each in self.estimates.values()
            for low, high in [each.interval or (float("-inf"), float("inf"))]
        ]
        return needed("pandas").DataFrame(rows, index=list(self.estimates))

    def plot(self, *outputs: str) -> Any:
        """Draws the measured points, the curves before and after the fit, and the residuals; returns the `matplotlib` figure.

        `outputs` are names of outputs; by default all are drawn.
        """
        pyplot = needed("matplotlib.pyplot")
        known = {each.output for each in self.measurements}
        unknown = [name for name in outputs if name not in known]
        chosen = [each for each in self.measurements if not outputs or each.output in outputs]
        if unknown or not chosen:
            missing = f"there is no output `{unknown[0]}`" if unknown else "there are no measurements to draw"
            raise SimulationError(f"{missing}; available: {', '.join(sorted(known))}" if known else missing)
        figure, axes = pyplot.subplots(len(chosen), 2, squeeze=False, layout="constrained", figsize=(10, 3 * len(chosen)))
        for each, (curves, rest) in zip(chosen, axes):
            unit = f" [{each.unit}]" if each.unit else ""
            curves.plot(each.places, each.measured, ".", label="measured")
            curves.plot(each.places, each.before, color="0.6", label="before")
            curves.plot(each.places, each.after, label="after")
            curves.set_title(each.experiment)
            curves.set_ylabel(f"{each.output}{unit}")
            curves.legend()
            rest.plot(each.places, each.residuals, ".")
            rest.axhspan(-each.deviation, each.deviation, alpha=0.2)
            rest.set_ylabel(f"residual{unit}")
            for ax in (curves, rest):
                ax.set_xlabel(each.along)
                ax.grid(True)
        return figure


def fit(
    *files: str | os.PathLike[str] | Mapping[str, Any],
    output: str | os.PathLike[str],
    progress: Progress = False,
    **options: Any,
) -> Fit:
    """Identifies parameters from measurements and returns them, with a configuration that `build` takes.

    `files` are those of the command `fit`: a fit file (.toml), which names an FMU, its parameters and experiments, or a dict
    with the same keys, whose files are relative to the current folder; or tables of rubber, with axes before them where
    it needs some: `"xy=radial.csv"`. `output` is the configuration to write (.toml). Further options are those of the command:
    `plot="fit.svg"`, `force=True`, and for rubber `maxwell=2`, `no_friction=True`, `columns=["f", "A", "K", "delta"]`;
    `mechanical-fmus fit --help` lists them.

    `progress` is called with the part of a fit file that is done, an estimate, since nobody knows the number of iterations
    beforehand; True writes it to the standard error.

    Raises `SimulationError`. Warnings of the command are of the class `SimulationWarning`.
    """
    with tempfile.TemporaryDirectory(prefix="fit-") as folder:
        names = [written(file, folder, "fit.toml") if isinstance(file, Mapping) else os.fspath(file) for file in files]
        results = Path(folder, "results.json") if len(names) == 1 and os.fspath(names[0]).endswith(".toml") else None
        given = _program.options({"output": output, "results": results, **options})
        with report(progress) as told:
            ended = _program.run(["fit", *given, "--", *(os.fspath(name) for name in names)], told)
        shown = [in_dict(note, folder, "fit.toml") for note in ended.notes]
        if ended.status != 0:
            raise SimulationError(in_dict(str(ended.failed), folder, "fit.toml"))
        for note in shown:
            if note.startswith("warning: "):
                warnings.warn(_native.in_keywords(note), SimulationWarning, stacklevel=2)
        told_of = json.loads(results.read_text(encoding="utf-8")) if results else {}
    lines = [line for line in ended.stdout.splitlines(keepends=True) if line.strip() != str(results)]
    return Fit(
        file=Path(output),
        estimates={each["name"]: _estimate(each) for each in told_of.get("parameters", [])},
        correlation=matrix(told_of.get("correlation", []), [len(told_of.get("correlation", []))] * 2),
        measurements=tuple(map(_measurement, told_of.get("measurements", []))),
        iterations=told_of.get("iterations", 0),
        warnings=tuple(note.removeprefix("warning: ") for note in shown if note.startswith("warning: ")),
        notes=tuple(note for note in shown if note and not note.startswith("warning: ")),
        report="".join(lines),
    )


def _estimate(told: Mapping[str, Any]) -> Estimate:
    low, high = told["interval"]
    interval = None if low is None or high is None else (low, high)
    return Estimate(told["name"], told["unit"], told["value"], told["start"], interval, told["at_bound"])


def _measurement(told: Mapping[str, Any]) -> Measurement:
    columns = {name: _numbers(told[name]) for name in ("places", "measured", "before", "after")}
    return Measurement(told["experiment"], told["output"], told["unit"], told["along"], deviation=told["deviation"], **columns)


def _numbers(values: list[float | None]) -> Any:
    numbers = [[float("nan") if value is None else value for value in values]]
    row = matrix(numbers, [1, len(values)])
    return row[0]
