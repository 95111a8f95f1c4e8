"""Co-Simulation by FMPy with tunable parameters that grow by a quarter half way: prints the Reals at the end."""

import sys

import fmpy
from fmpy.fmi2 import FMU2Slave

path, steps, h = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
description = fmpy.read_model_description(path)
reals = [variable for variable in description.modelVariables if variable.type == "Real"]
references = [variable.valueReference for variable in reals]
inputs = [variable for variable in reals if variable.causality == "input" and ".R.T[" not in variable.name]
tunables = [variable.valueReference for variable in reals if variable.variability == "tunable"]
fmu = FMU2Slave(
    guid=description.guid,
    unzipDirectory=fmpy.extract(path),
    modelIdentifier=description.coSimulation.modelIdentifier,
)
fmu.instantiate()
fmu.setupExperiment(startTime=0.0)
fmu.enterInitializationMode()
for i, variable in enumerate(inputs):
    fmu.setReal([variable.valueReference], [float(variable.start) + 4e-3 * (1 + i % 7)])
fmu.exitInitializationMode()
for step in range(steps):
    if 2 * step == steps:
        fmu.setReal(tunables, [1.25 * value for value in fmu.getReal(tunables)])
    fmu.doStep(step * h, h)
print(*fmu.getReal(references))
fmu.terminate()
fmu.freeInstance()
