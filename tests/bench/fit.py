"""Times a fit of the train in docs/fit beside SciPy's `least_squares` with differences of runs through FMPy.

    python tests/bench/fit.py PROGRAM TRAIN.fmu

PROGRAM is `fmu-importer`, optimised, or `mechanical-fmus`; the environment has FMPy and SciPy (tests/requirements.txt). Both get
the FMU unpacked or not as they like, reuse their instance, and search for the same five logarithms. Each is the best of three.

They do not find quite the same, and neither search is wrong. FMPy holds the torque over each step, which `fit` takes as straight
between the rows: with ten times finer steps and mean torques, `bearing.d` differs by 2 % instead of 8 %, and all five are in the
95 % intervals of `fit`. The rest is the weights: `fit` estimates the errors of each output, SciPy has the spread of its values.
"""

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Slave
from scipy.optimize import least_squares

PAGES = Path(__file__).parents[2] / "docs/fit"
PARAMETERS = {
    "motor.J": (0.2, 0.01, 1.0),
    "load.J": (0.3, 0.01, 5.0),
    "shaft.c": (500.0, 100.0, 1e5),
    "shaft.d": (2.0, 0.01, 100.0),
    "bearing.d": (0.1, 0.001, 10.0),
}
ROUNDS = 3


def read(file: Path) -> np.ndarray:
    with file.open() as stream:
        return np.array([[float(cell) for cell in row] for row in list(csv.reader(stream))[1:]])


def by_scipy(fmu: str) -> tuple[np.ndarray, int]:
    unpacked, description = fmpy.extract(fmu), fmpy.read_model_description(fmu)
    experiments = [read(PAGES / name) for name in ("train-pulse.csv", "train-sweep.csv")]
    identifier = description.coSimulation.modelIdentifier
    instance = FMU2Slave(guid=description.guid, unzipDirectory=unpacked, modelIdentifier=identifier)
    instance.instantiate()
    signals = [np.array([tuple(row[:2]) for row in rows], dtype=[("time", float), ("drive.tau", float)]) for rows in experiments]
    sizes = [rows[:, 2:].std(axis=0) for rows in experiments]
    runs = 0

    def residuals(logarithms: np.ndarray) -> np.ndarray:
        nonlocal runs
        parts = []
        for rows, given, size in zip(experiments, signals, sizes):
            runs += 1
            instance.reset()
            result = fmpy.simulate_fmu(
                unpacked, model_description=description, fmu_instance=instance, fmi_type="CoSimulation", input=given,
                start_values=dict(zip(PARAMETERS, np.exp(logarithms))), output=["motor.w", "load.w"],
                stop_time=rows[-1, 0], step_size=0.005, output_interval=0.005, relative_tolerance=1e-9,
            )  # fmt: skip
            parts.append(((np.array([list(row)[1:] for row in result]) - rows[:, 2:]) / size).ravel())
        return np.concatenate(parts)

    start, low, high = np.log(np.array(list(PARAMETERS.values()))).T
    found = least_squares(residuals, start, bounds=(low, high), diff_step=1e-4)
    instance.freeInstance()
    return np.exp(found.x), runs


def by_program(program: str, fmu: str) -> np.ndarray:
    with tempfile.TemporaryDirectory() as folder:
        text = (PAGES / "train-fit.toml").read_text()
        text = text.replace('fmu = "../../target/fmu/fit/Train.fmu"', f'fmu = "{Path(fmu).resolve()}"')
        for name in ("train-pulse.csv", "train-sweep.csv"):
            text = text.replace(f'"{name}"', f'"{PAGES / name}"')
        file, output = Path(folder, "fit.toml"), Path(folder, "found.toml")
        file.write_text(text.replace('model = "train.toml"\n', ""))
        subprocess.run([program, "fit", file, "--output", output], check=True, capture_output=True)
        lines = dict(line.replace('"', "").split(" = ") for line in output.read_text().splitlines() if " = " in line)
        return np.array([float(lines[name]) for name in PARAMETERS])


def least_time(call):
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - begin)
    return result, min(times)


program, fmu = sys.argv[1:]
own, own_time = least_time(lambda: by_program(program, fmu))
(others, runs), others_time = least_time(lambda: by_scipy(fmu))
print("found:", dict(zip(PARAMETERS, own)))
print(f"largest relative difference: {max(abs(own / others - 1.0)):.3f}, since FMPy holds inputs over a step, and by other weights")
print(f"fit {own_time:.3f} s, SciPy and FMPy {others_time:.3f} s with {runs} runs: {others_time / own_time:.1f} times as long")
