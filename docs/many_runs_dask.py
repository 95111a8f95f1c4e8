"""The runs of a sweep on Dask, through FMPy.

    cargo xtask sweep sweep.toml --points points.csv
    python many_runs_dask.py sweep.toml points.csv results.csv

The points say what each run sets, so that it is the same as with `cargo xtask sweep`; the sweep file says the rest.
Without --scheduler the runs are made by worker processes on this computer, with it on the cluster of that address,
whose computers must find the FMU and the input under the same paths.
"""

import argparse
import csv
import functools
import sys
import tomllib
from itertools import pairwise
from math import ceil
from pathlib import Path

import fmpy
import fmpy.fmi2
import numpy as np
from dask.distributed import Client, LocalCluster, as_completed

CHUNK = 50  # runs that are sent together, at most
STRAIGHT = 1e-9  # relative deviation up to which three points are on a straight line


def entries(table, prefix=""):
    """The names and values of a section; `frame_a.f = …` is a table of tables to TOML."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from entries(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value if isinstance(value, list) else [value]


def results(section, names):
    """Variables and reductions; a name stands for all that begin with it up to a dot or a bracket."""
    for name, reductions in entries(section):
        for variable in names:
            if variable == name or variable.startswith((f"{name}.", f"{name}[")):
                yield from ((variable, reduction) for reduction in reductions)


# Each takes the values at the communication points, and a function for the mean over time: of these values where a
# value is held until the next point, and of what this gives for both ends where it changes along a line.
REDUCTIONS = {
    "final": lambda x, mean: x[-1],
    "min": lambda x, mean: np.min(x),
    "max": lambda x, mean: np.max(x),
    "peak": lambda x, mean: np.max(np.abs(x)),
    "mean": lambda x, mean: mean(x, lambda a, b: (a + b) / 2),
    "rms": lambda x, mean: np.sqrt(mean(x * x, lambda a, b: (a * a + a * b + b * b) / 3)),
}


def reduced(time, values, held, reduction):
    """One number for a curve."""

    def mean(at_points, along_line):
        areas = at_points[:-1] if held else along_line(values[:-1], values[1:])
        return np.sum(np.diff(time) * areas) / (time[-1] - time[0])

    return REDUCTIONS[reduction](values, mean)


@functools.cache
def unpacked(fmu, input):
    """What all runs in a worker process share: description, unpacked files, and the signals of the inputs."""
    model = fmpy.read_model_description(fmu)
    columns = {}
    if input:
        lines = [line for line in Path(input).read_text().splitlines() if not line.startswith("#")]
        rows = list(csv.DictReader(lines, skipinitialspace=True))
        variables = {variable.name: variable for variable in model.modelVariables}
        columns["time"] = np.array([float(row["time"]) for row in rows])
        for name in (name for name in rows[0] if name != "time"):
            columns[name] = np.array([typed(variables[name], row[name]) for row in rows])
    return model, fmpy.extract(fmu), columns


def typed(variable, text):
    """A value as the variable's type takes it; an item of an enumeration stands there by its name."""
    match variable.type:
        case "Real":
            return float(text)
        case "Boolean":
            return int(text in ("true", "1"))
        case "Enumeration":
            names = [item.name for item in variable.declaredType.items]
            return names.index(text) + 1 if text in names else int(text)
        case "Integer":
            return int(text)
    return text


def bends(time, values, is_continuous):
    """Whether a signal jumps or bends at each of its rows. Before the first row and after the last one it is constant."""
    before, after = np.concatenate((values[:1], values[:-1])), np.concatenate((values[1:], values[-1:]))
    if not is_continuous:
        return before != values
    earlier, later = np.concatenate((time[:1] - 1, time[:-1])), np.concatenate((time[1:], time[-1:] + 1))
    jumps = (earlier == time) | (time == later)
    straight = before + (after - before) * ((time - earlier) / np.where(jumps, 1, later - earlier))
    largest = np.maximum(np.maximum(np.abs(before), np.abs(after)), np.abs(values))
    return jumps | (np.abs(straight - values) > STRAIGHT * largest)


class Inputs:
    """The signals as an importer gives them: continuous ones with their slopes, others held."""

    def __init__(self, slave, variables, columns):
        self.slave, self.time = slave, columns.get("time")
        signals = [(variables[name], values) for name, values in columns.items() if name != "time"]
        lines = [pair for pair in signals if pair[0].variability == "continuous"]
        self.lines = [variable.valueReference for variable, _ in lines]
        self.table = np.array([values for _, values in lines]).T
        self.held = [pair for pair in signals if pair[0].variability != "continuous"]
        bent = [bends(self.time, values, variable.variability == "continuous") for variable, values in signals]
        self.stops = np.unique(self.time[np.any(bent, axis=0)]) if signals else np.array([])

    def stops_between(self, time, end):
        """The times inside a step at which a signal jumps or bends."""
        first = np.searchsorted(self.stops, time + 1e-15 * abs(time), "right")
        last = np.searchsorted(self.stops, end - 1e-15 * abs(end), "left")
        return self.stops[first:last].tolist()

    def at(self, time, side):
        """The values of the lines; `left` of a jump, or `right` of it."""
        near = self.time[np.isclose(self.time, time, rtol=1e-15, atol=0)]
        time = near[0] if len(near) else time
        after = int(np.searchsorted(self.time, time, side))
        if after == 0 or after < len(self.time) and self.time[after] == time:
            return self.table[after]
        if after == len(self.time):
            return self.table[-1]
        part = (time - self.time[after - 1]) / (self.time[after] - self.time[after - 1])
        return self.table[after - 1] + (self.table[after] - self.table[after - 1]) * part

    def apply(self, time):
        if self.lines:
            self.slave.setReal(self.lines, self.at(time, "right"))
        for variable, values in self.held:
            last = np.searchsorted(self.time, time * (1 + 1e-15), "right") - 1
            put(self.slave, variable, values[max(last, 0)].item())

    def slope(self, time, end):
        if self.lines:
            slopes = (self.at(end, "left") - self.at(time, "right")) / (end - time)
            self.slave.setRealInputDerivatives(self.lines, [1] * len(slopes), slopes)


def put(slave, variable, value):
    kind = "Integer" if variable.type == "Enumeration" else variable.type
    getattr(slave, f"set{kind}")([variable.valueReference], [value])


def simulate(sweep, row, outputs):
    """The curves of one run, as `cargo xtask simulate` makes them."""
    model, folder, columns = unpacked(sweep["fmu"], sweep["input"])
    variables = {variable.name: variable for variable in model.modelVariables}
    kinds = {name: "Integer" if variables[name].type == "Enumeration" else variables[name].type for name in outputs}
    groups = {kind: [name for name in outputs if kinds[name] == kind] for kind in set(kinds.values())}
    start, stop, step = sweep["start"], sweep["stop"], sweep["step"]
    steps = max(1, ceil((stop - start) / step - 1e-9))
    times = [start + at * step for at in range(steps)] + [stop]
    curves = {name: np.empty(steps + 1) for name in outputs}
    slave = fmpy.fmi2.FMU2Slave(
        guid=model.guid, modelIdentifier=model.coSimulation.modelIdentifier, unzipDirectory=folder,
        instanceName=model.modelName,
    )

    def record(at):
        for kind, names in groups.items():
            values = getattr(slave, f"get{kind}")([variables[name].valueReference for name in names])
            for name, value in zip(names, values):
                curves[name][at] = value

    slave.instantiate()
    try:
        inputs = Inputs(slave, variables, columns)
        slave.setupExperiment(tolerance=sweep["tolerance"], startTime=start, stopTime=stop)
        for name, text in row.items():
            put(slave, variables[name], typed(variables[name], text))
        slave.enterInitializationMode()
        inputs.apply(start)
        slave.exitInitializationMode()
        record(0)
        for at, (time, end) in enumerate(pairwise(times), 1):
            # So that no pulse between two points is lost.
            stops = inputs.stops_between(time, end) if model.coSimulation.canHandleVariableCommunicationStepSize else []
            for begin, until in pairwise([time, *stops, end]):
                if model.coSimulation.canInterpolateInputs:
                    inputs.slope(begin, until)
                slave.doStep(begin, until - begin)
                inputs.apply(until)
            record(at)
        slave.terminate()
    finally:
        slave.freeInstance()
    return np.array(times), curves


def run_chunk(sweep, rows):
    """Makes some runs, in a worker process."""
    model = unpacked(sweep["fmu"], sweep["input"])[0]
    variables = {variable.name: variable for variable in model.modelVariables}
    kept = list(results(sweep["results"], variables))
    done = []
    for row in rows:
        run = row.pop("run")
        try:
            times, curves = simulate(sweep, row, list(dict.fromkeys(name for name, _ in kept)))
            numbers = {
                f"{reduction}({name})": float(reduced(times, curves[name], variables[name].type != "Real", reduction))
                for name, reduction in kept
            }
            done.append({"run": run, **numbers, "status": "ok"})
        # Whatever goes wrong in a run is its result.
        except Exception as error:
            done.append({"run": run, "status": f"{type(error).__name__}: {error}"})
    return done


def read(path):
    """The sweep file, with paths that hold anywhere, and times from the FMU where the file says none."""
    sweep = tomllib.loads(path.read_text(encoding="utf-8"))
    place = lambda name: str((path.parent / name).resolve())
    fmu, input = place(sweep["fmu"]), sweep.get("input") and place(sweep["input"])
    model = fmpy.read_model_description(fmu)
    experiment = model.defaultExperiment
    start = float(sweep.get("start", experiment and experiment.startTime or 0))
    stop = float(experiment and experiment.stopTime or start + 1)
    step = float(experiment and experiment.stepSize or (stop - start) / 1000)
    if input:
        time = unpacked(fmu, input)[2]["time"]
        stop = float(time[-1]) if time[-1] > time[0] else stop
    kept = list(results(sweep["results"], [variable.name for variable in model.modelVariables]))
    for variable, reduction in kept:
        if reduction not in REDUCTIONS:
            sys.exit(f"{reduction} of {variable}: this script knows {', '.join(REDUCTIONS)}")
    tolerance = experiment and experiment.tolerance and float(experiment.tolerance)
    sweep |= {"fmu": fmu, "input": input, "start": start, "tolerance": tolerance}
    sweep |= {"stop": float(sweep.get("stop", stop)), "step": float(sweep.get("step", step))}
    return sweep, [f"{reduction}({variable})" for variable, reduction in kept]


def points(path, sweep):
    """The rows that tell what each run sets."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows or "run" not in rows[0]:
        sys.exit(f"{path}: this is not a file of points; write one with cargo xtask sweep … --points")
    known = {variable.name for variable in fmpy.read_model_description(sweep["fmu"]).modelVariables}
    for name in rows[0].keys() - known - {"run"}:
        sys.exit(f"{path}: {sweep['fmu']} has no variable {name}")
    return rows


def refuse_loss(arguments):
    """Runs may take hours, after which there must be a place for what they gave."""
    folder = arguments.results.absolute().parent
    if not folder.is_dir():
        sys.exit(f"{arguments.results}: cannot be written: there is no folder {folder}")
    if arguments.results.is_dir():
        sys.exit(f"{arguments.results}: cannot be written: it is a folder")
    for path in (arguments.sweep, arguments.points):
        if path.resolve() == arguments.results.resolve():
            sys.exit(f"the results would overwrite {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sweep", type=Path)
    parser.add_argument("points", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--workers", type=int, help="processes on this computer; by default one for each processor")
    parser.add_argument("--scheduler", help="address of a running cluster, such as tcp://10.0.0.1:8786")
    arguments = parser.parse_args()
    refuse_loss(arguments)
    try:
        sweep, columns = read(arguments.sweep)
        rows = points(arguments.points, sweep)
    except KeyError as error:
        sys.exit(f"{arguments.sweep}: {error} is missing")
    except ValueError as error:
        sys.exit(f"{arguments.sweep}: {error}")
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    size = min(CHUNK, max(1, len(rows) // 20))
    chunks = [rows[at : at + size] for at in range(0, len(rows), size)]
    if arguments.scheduler:
        cluster = None
        client = Client(arguments.scheduler)
    else:
        # One thread each: an FMU may keep what it needs in one place for the whole process.
        cluster = LocalCluster(n_workers=arguments.workers, threads_per_worker=1, processes=True, dashboard_address=None)
        client = Client(cluster)
    done = []
    with client:
        futures = client.map(functools.partial(run_chunk, sweep), chunks, pure=False)
        for _, chunk in as_completed(futures, with_results=True):
            done += chunk
            print(f"\r{len(done)}/{len(rows)} runs", end="", file=sys.stderr)
    print(file=sys.stderr)
    if cluster:
        cluster.close()
    done.sort(key=lambda row: int(row["run"]))
    with arguments.results.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["run", *columns, "status"])
        writer.writeheader()
        writer.writerows(done)
    return int(any(row["status"] != "ok" for row in done))


if __name__ == "__main__":
    sys.exit(main())
