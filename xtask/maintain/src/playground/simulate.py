"""Simulates FMUs in FMPy: Co-Simulation and, by CVode, Model Exchange move, and agree at the stop time."""

import sys

import fmpy
import numpy

for file in sys.argv[1:]:
    description = fmpy.read_model_description(file)
    stop = float(description.defaultExperiment.stopTime)
    # Without a torque, drive trains stay at rest.
    inputs = [variable for variable in description.modelVariables if variable.causality == "input"]
    torques = {variable.name: 10.0 for variable in inputs if variable.unit == "N.m"}
    one, other = (
        fmpy.simulate_fmu(file, fmi_type=interface, start_values=torques, relative_tolerance=1e-6)
        for interface in ("CoSimulation", "ModelExchange")
    )
    moving = 0
    for name in (name for name in one.dtype.names if one.dtype[name].kind == "f"):
        largest = numpy.abs(one[name]).max()
        moving += largest > 1e-3 and numpy.ptp(one[name]) > 0.01 * largest
        difference = abs(one[name][-1] - other[name][-1])
        assert difference <= 1e-3 * max(largest, 1e-6), f"{file}: {name} ends at {one[name][-1]} and {other[name][-1]}"
    # The time is one of them.
    assert abs(one["time"][-1] - stop) < 1e-9 and moving > 3, f"{file}: {moving} columns move, up to {one['time'][-1]} s"
