"""Solves the problems in Co-Simulation, by the integrator inside the FMU, and in Model Exchange by FMPy's CVode.

    target/python/bin/python tests/bench/problems/run.py

Builds the FMUs, and prints for each problem and solver the error at the end, evaluations of the equations and seconds.
All have a relative tolerance of 1e-6. CVode's Jacobian comes from differences; each column counts as an evaluation,
as each direction does inside the FMU.
"""

import math
import pathlib
import subprocess
import tempfile
import time

import fmpy

ROOT = pathlib.Path(__file__).parents[3]
K = 1e6
# A thousand impacts, half a flight before the thousand and first: h = 1, v = 0.
BALL = 2000 * math.sqrt(0.2)
PROBLEMS = {
    "ball": (BALL, 1.0),
    # F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, problem VDPOL, scaled back.
    "van_der_pol": (2000.0, 1.706167732170483),
    "spring": (10.0, (K * K * math.cos(10.0) + K * math.sin(10.0)) / (1 + K * K)),
}


def main():
    print(f"{'problem':12} {'solver':16} {'error':>8} {'evaluations':>11} {'seconds':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for problem, (stop, expected) in PROBLEMS.items():
            out = pathlib.Path(folder) / problem
            out.mkdir()
            build = ["cargo", "xtask", "build", "tests/bench/problems", "--set", f"problem={problem}", "--out", out]
            subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
            unpacked = fmpy.extract(out / "Problem.fmu", out)
            for solver, interface in [("in the FMU", "CoSimulation"), ("CVode (FMPy)", "ModelExchange")]:
                begin = time.perf_counter()
                result = fmpy.simulate_fmu(
                    unpacked, fmi_type=interface, solver="CVode", stop_time=stop, output_interval=stop / 100,
                    relative_tolerance=1e-6, output=["x", "impacts", "evaluations"],
                )
                seconds = time.perf_counter() - begin
                error = abs(result["x"][-1] - expected)
                print(f"{problem:12} {solver:16} {error:8.1e} {result['evaluations'][-1]:11} {seconds:8.2f}")
                if problem == "ball" and result["impacts"][-1] != 1000:
                    print(f"  {result['impacts'][-1]} impacts instead of 1000")


if __name__ == "__main__":
    main()
