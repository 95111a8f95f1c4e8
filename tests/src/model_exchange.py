"""Runs FMUs in Model Exchange with CVode; writes their outputs at given times. Inputs are linear between their rows.

Usage: model_exchange.py [FMU INPUT.csv OUTPUT.csv INTERVAL STOP TOLERANCE NAMES ...]; names of outputs in lines

FMPy 0.3.32 sets inputs in the root function only, so its derivatives have inputs of another time: of the last evaluation of
event indicators. Here each evaluation sets those of its own time.
"""

import csv
import sys

import fmpy
import numpy
from fmpy.sundials import CVodeSolver

evaluate = CVodeSolver.f


def evaluate_with_inputs(self, t, y, ydot, user_data):
    self.set_time(t)
    self.input.apply(t, discrete=False)
    return evaluate(self, t, y, ydot, user_data)


CVodeSolver.f = evaluate_with_inputs


def run(fmu, given, output, interval, stop, tolerance, names):
    header, *rows = csv.reader(open(given))
    signals = numpy.array([tuple(map(float, row)) for row in rows], dtype=[(name, float) for name in header])
    names = names.split("\n")
    result = fmpy.simulate_fmu(
        fmu,
        fmi_type="ModelExchange",
        solver="CVode",
        input=signals if len(header) > 1 else None,
        stop_time=float(stop),
        output=names,
        output_interval=float(interval),
        relative_tolerance=float(tolerance),
    )
    columns = [result[name] for name in ["time"] + names]
    numpy.savetxt(output, numpy.array(columns).T, fmt="%.17g", delimiter=",")


for at in range(1, len(sys.argv), 7):
    run(*sys.argv[at : at + 7])
