"""Linearises an FMU at its start in Model Exchange, exactly and by differences; prints both as JSON."""

import json
import shutil
import sys

from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Model, fmi2Real

description = read_model_description(sys.argv[1])
folder = extract(sys.argv[1])
fmu = FMU2Model(
    guid=description.guid,
    unzipDirectory=folder,
    modelIdentifier=description.modelExchange.modelIdentifier,
    instanceName="linearised",
)
fmu.instantiate()
fmu.setupExperiment()
fmu.enterInitializationMode()
variables = {variable.name: variable.valueReference for variable in description.modelVariables}
for assignment in sys.argv[2:]:
    name, value = assignment.split("=")
    fmu.setReal([variables[name]], [float(value)])
fmu.exitInitializationMode()
while fmu.newDiscreteStates()[0]:
    pass
fmu.enterContinuousTimeMode()

derivatives = [unknown.variable for unknown in description.derivatives]
states = [derivative.derivative for derivative in derivatives]
reals = [variable for variable in description.modelVariables if variable.type == "Real"]
inputs = [variable for variable in reals if variable.causality == "input" and variable.variability == "continuous"]
outputs = [variable for variable in reals if variable.causality == "output"]
knowns, unknowns = states + inputs, derivatives + outputs


def references(variables):
    return [variable.valueReference for variable in variables]


def move(values):
    """Sets states and inputs."""
    fmu.setContinuousStates((fmi2Real * len(states))(*values[: len(states)]), len(states))
    fmu.setReal(references(inputs), values[len(states) :])


def difference(column, h=1e-4):
    rows = []
    for step in (h, -h):
        move([value + step * (i == column) for i, value in enumerate(point)])
        rows.append(fmu.getReal(references(unknowns)))
    return [(right - left) / (2.0 * h) for right, left in zip(*rows)]


exact = [fmu.getDirectionalDerivative(references(unknowns), [known], [1.0]) for known in references(knowns)]
point = fmu.getReal(references(knowns))
differences = [difference(column) for column in range(len(knowns))]
names = [[variable.name for variable in variables] for variables in (knowns, unknowns)]
print(json.dumps({"knowns": names[0], "unknowns": names[1], "exact": exact, "differences": differences}))
fmu.terminate()
fmu.freeInstance()
shutil.rmtree(folder, ignore_errors=True)
