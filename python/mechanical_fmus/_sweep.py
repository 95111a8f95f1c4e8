"""Many runs of an FMU with different parameters, as the command `sweep` makes them."""

from __future__ import annotations

import csv
import importlib
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any, Mapping

from . import _native, _program
from ._errors import SimulationError, SimulationWarning
from ._model import Progress, report
from ._plan import in_dict, written
from ._results import needed

# The end of the message of a sweep in which runs have failed: their rows say why.
_SOME_FAILED = ("of its row says why", "of their rows says why")


class Table(dict[str, Any]):
    """The results of a sweep: columns by their names, a value for each run.

    Numbers are arrays of NumPy where that is installed, else lists; texts are lists. `status` is `"ok"`, or says why a run
    failed, whose results are not numbers (nan); a time when a condition holds is nan if it never does. `series` has whole curves, if the sweep has some: `run`, `time` and the
    variables.
    """

    series: Table | None = None

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with a row for each run."""
        return needed("pandas").DataFrame(dict(self))


def sweep(
    plan: str | os.PathLike[str] | Mapping[str, Any],
    /,
    *,
    output: str | os.PathLike[str] | None = None,
    points: str | os.PathLike[str] | None = None,
    plot: str | os.PathLike[str] | None = None,
    heat_map: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    timeout: float | None = None,
    progress: Progress = False,
) -> Table:
    """Runs an FMU many times with different parameters, several runs at the same time, and returns their results.

    `plan` is a sweep file (.toml), or a dict with the same keys: `fmu`, `parameters`, `results`, and `input`, `start`, `stop`,
    `step`, `design` and others where they are needed. The files that a dict names are relative to the current folder.

    Lists of values form a grid; with `"design": "points"` the first values make the first run, and so on, as optimisers and
    samples of other packages need it.

    `output` (.csv or .parquet), `points`, `plot` and `heat_map` are files to write, as the options of the command; an interrupted sweep
    goes on if it is called with the same `output` again. `jobs` runs are made at the same time, by default as many as there
    are processors. A call into the FMU may take `timeout` [s]. `progress` is called with the part of the runs that are done;
    True writes it to the standard error.

    Raises `SimulationError`; a run that fails is none: its `status` says why, and there is a `SimulationWarning`.
    """
    with tempfile.TemporaryDirectory(prefix="sweep-") as folder:
        file = written(plan, folder, "sweep.toml") if isinstance(plan, Mapping) else Path(plan)
        table = Path(folder, "output.csv") if output is None else Path(output)
        if table.suffix.lower() == ".parquet":
            needed("pyarrow.parquet")
        given = _program.options(
            {"output": table, "points": points, "plot": plot, "heat_map": heat_map, "jobs": jobs, "timeout": timeout}
        )
        with report(progress) as told:
            ended = _program.run(["sweep", *given, "--", os.fspath(file)], told)
        notes = [note for note in ended.notes if note]
        if ended.status != 0:
            if not (notes and notes[-1].endswith(_SOME_FAILED)):
                raise SimulationError(in_dict(str(ended.failed), folder, "sweep.toml"))
            notes[-1] = notes[-1].removeprefix("error: ")
        for note in notes:
            warnings.warn(_native.in_keywords(note), SimulationWarning, stacklevel=2)
        result = _read(table)
        series = table.with_suffix(f".series{table.suffix}")
        if series.exists():
            result.series = _read(series)
        return result


def _read(file: Path) -> Table:
    if file.suffix.lower() == ".parquet":
        table = needed("pyarrow.parquet").read_table(file)
        return Table((name, _column(table[name].to_pylist())) for name in table.column_names)
    with file.open(newline="", encoding="utf-8") as stream:
        rows = csv.reader(stream)
        names = next(rows)
        columns = list(zip(*rows)) or [()] * len(names)
    return Table((name, _column([_value(name, text) for text in column])) for name, column in zip(names, columns))


def _value(name: str, text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text) if name == "run" else float(text)
    except ValueError:
        return text or None


def _column(values: list[Any]) -> Any:
    """Numbers as an array, others as a list."""
    kinds = {type(value) for value in values}
    if not kinds <= {int, float, bool, type(None)} or not values:
        return values
    values = [float("nan") if value is None else value for value in values]
    try:
        return importlib.import_module("numpy").array(values)
    except ImportError:
        return values
