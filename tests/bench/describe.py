"""Unpacks FMUs and tells what the harness needs to know of them, as JSON.

python describe.py FOLDER FMU ...
"""

import json
import math
import pathlib
import sys

import fmpy
from fmpy.model_description import read_model_description


def describe(folder, path):
    unpacked = pathlib.Path(fmpy.extract(path, folder))
    # Peers may have faults that do not matter here.
    description = read_model_description(path, validate=False)
    version = int(description.fmiVersion[0])
    slave = description.coSimulation
    token = description.guid if version == 2 else description.instantiationToken
    binaries = unpacked / "binaries" / (fmpy.platform if version == 2 else fmpy.platform_tuple)
    resources = unpacked / "resources"
    saves = slave.canGetAndSetFMUstate + (slave.canGetAndSetFMUstate and slave.canSerializeFMUstate)
    reals = [v for v in description.modelVariables if v.type in ("Real", "Float64") and not v.dimensions]

    def references(causality):
        return [v.valueReference for v in reals if v.causality == causality]

    # Of FMI 3.0 also arrays, but no tables.
    arrays = [v for v in description.modelVariables if v.type == "Float64" and v.variability == "continuous"]

    def sized(causality):
        fixed = [v for v in arrays if v.causality == causality]
        sizes = [math.prod(int(d.start) for d in v.dimensions) for v in fixed]
        return [v.valueReference for v in fixed], sizes, [float(x) for v in fixed for x in str(v.start or 0).split()]

    return {
        "arrays": [*sized("input"), *sized("output")[:2]],
        "version": version,
        "token": token,
        "library": str(binaries / (slave.modelIdentifier + fmpy.sharedLibraryExtension)),
        "resources": resources.as_uri() if version == 2 else f"{resources}/",
        "saves": saves,
        "inputs": references("input"),
        "starts": [float(v.start or 0.0) for v in reals if v.causality == "input"],
        "outputs": references("output"),
        "states": [derivative.variable.derivative.name for derivative in description.derivatives],
        "references": {v.name: v.valueReference for v in reals},
        "variables": len(description.modelVariables),
    }


root = pathlib.Path(sys.argv[1])
print(json.dumps([describe(root / str(number), path) for number, path in enumerate(sys.argv[2:])]))
