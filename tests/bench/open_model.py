"""Times runs of a model that stays open: python tests/bench/open_model.py, where the package and NumPy are installed.

Prints what a run takes in the process of the FMU, and what a call takes above that.
"""

import statistics
import sys
import tempfile
import time

import mechanical_fmus

RUNS = 1000


def measure(name: str, file: object, settings: dict[str, float], **run: float) -> None:
    with mechanical_fmus.open(file, settings) as model:
        model.simulate(**run)
        own, calls = [], []
        begin = time.perf_counter()
        for _ in range(RUNS):
            start = time.perf_counter()
            result = model.simulate(**run)
            calls.append(time.perf_counter() - start)
            own.append(result.seconds)
        total = time.perf_counter() - begin
    above = statistics.median(call - alone for call, alone in zip(calls, own))
    rows, columns = len(result["time"]), len(result)
    print(
        f"{name}, {rows} rows of {columns} columns: {RUNS} runs in {total:.3f} s; median of a run "
        f"{1e3 * statistics.median(own):.3f} ms, of what a call takes above that {1e3 * above:.3f} ms"
    )


with tempfile.TemporaryDirectory() as folder:
    given = sys.argv[1:]
    clutch = given[0] if given else mechanical_fmus.build("clutch", out=folder)
    settings = {"cgeo": 0.24, "fn_max": 3000.0, "J_a": 0.18, "J_b": 1.4, "w_a_start": 150.0, "f_normalized": 1.0}
    measure("Clutch, 1 s", clutch, settings, stop=1.0)
    measure("Clutch, 1 s", clutch, settings, stop=1.0, step=1e-3)
    measure("Clutch, 1 s", clutch, settings, stop=1.0, step=1.0)
