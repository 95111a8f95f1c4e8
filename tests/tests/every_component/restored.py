"""Makes a step from the bytes of an FMU state with FMPy: prints the Reals at its end."""

import shutil
import sys
from pathlib import Path

import fmpy
from fmpy.fmi2 import FMU2Slave

path, state, point, h = sys.argv[1], Path(sys.argv[2]).read_bytes(), float(sys.argv[3]), float(sys.argv[4])
description = fmpy.read_model_description(path)
folder = fmpy.extract(path)
fmu = FMU2Slave(
    guid=description.guid,
    unzipDirectory=folder,
    modelIdentifier=description.coSimulation.modelIdentifier,
)
fmu.instantiate()
restored = fmu.deSerializeFMUstate(state)
fmu.setFMUstate(restored)
fmu.freeFMUstate(restored)
fmu.doStep(point, h)
print(*fmu.getReal([variable.valueReference for variable in description.modelVariables if variable.type == "Real"]))
fmu.terminate()
fmu.freeInstance()
shutil.rmtree(folder, ignore_errors=True)
