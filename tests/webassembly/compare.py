"""Compares FMUs that have components of WebAssembly with those that have shared libraries.

    python compare.py WASM.fmu NATIVE.fmu …

The components run in wasmtime and, if it is installed, in Node. Prints a line for each FMU: the number of values compared,
how many of those of wasmtime have other bits, the largest deviation, relative to a value or to one, and the size of the
component.
"""

import base64
import json
import math
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from fmu import Component, Description, Native

STEPS, TOLERANCE = 50, 1e-12


def simulate(instance):
    """Returns the values of all variables at all communication points; those after the middle twice, from a saved state."""
    description = instance.description
    inputs, floats = description.references("Float64", "input"), description.references("Float64")
    others = {kind: description.references(kind) for kind in ("Int32", "Int64", "Boolean")}
    instance.initialize()
    starts = instance.get("Float64", inputs) if inputs else []
    h = description.stop / STEPS
    values = []

    def run(steps):
        for step in steps:
            if inputs:
                instance.set("Float64", inputs, moved(starts, step * h))
            instance.step(step * h, h)
            values.extend(instance.get("Float64", floats))
            for kind, references in others.items():
                values.extend(map(float, instance.get(kind, references)) if references else [])

    middle = STEPS // 2
    run(range(middle))
    state = instance.save()
    run(range(middle, middle + 5))
    instance.restore(state)
    run(range(middle, STEPS))
    return values


def evaluate(instance):
    """Returns the derivatives of the states in Model Exchange, and a product with the Jacobian."""
    description = instance.description
    instance.initialize()
    instance.settle()
    values = instance.derivatives(0.0)
    knowns, unknowns = (description.continuous(causality) for causality in ("input", "output"))
    return values + (instance.jacobian(unknowns, knowns) if knowns and unknowns else [])


def in_node(archive, starts):
    """Returns the values of a simulation in Node."""
    description = Description(archive)
    h = description.stop / STEPS
    inputs = description.references("Float64", "input")
    request = {
        "token": description.token,
        "resources": {name: base64.b64encode(content).decode() for name, content in description.resources.items()},
        "references": description.references("Float64"),
        "inputs": inputs,
        "steps": [moved(starts, step * h) for step in range(STEPS)],
        "h": h,
    }
    with tempfile.TemporaryDirectory() as folder:
        component = Path(folder) / "fmu.wasm"
        component.write_bytes(description.component())
        command = ["node", Path(__file__).with_name("simulate.mjs"), component]
        answer = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def plainly(instance):
    """Returns the start values of the inputs, and what `in_node` computes."""
    description = instance.description
    inputs, floats = description.references("Float64", "input"), description.references("Float64")
    instance.initialize()
    starts = instance.get("Float64", inputs) if inputs else []
    h = description.stop / STEPS
    values = []
    for step in range(STEPS):
        if inputs:
            instance.set("Float64", inputs, moved(starts, step * h))
        instance.step(step * h, h)
        values += instance.get("Float64", floats)
    return starts, values


def moved(starts, time):
    """Returns inputs that move about their start values."""
    return [x + 1e-3 * math.sin(7 * time + i) * (abs(x) + 1) for i, x in enumerate(starts)]


def deviation(found, expected):
    assert len(found) == len(expected) > 0, (len(found), len(expected))
    return max(
        0.0 if one == other or (math.isnan(one) and math.isnan(other)) else abs(one - other) / max(abs(other), 1.0)
        for one, other in zip(found, expected)
    )


def with_other_bits(found, expected):
    return sum(struct.pack("d", one) != struct.pack("d", other) for one, other in zip(found, expected))


def main(archives):
    for wasm, native in zip(archives[::2], archives[1::2]):
        count, others, largest = 0, 0, 0.0
        for kind, values in (("CoSimulation", simulate), ("ModelExchange", evaluate)):
            with tempfile.TemporaryDirectory() as folder:
                expected = values(Native(native, kind, folder))
                found = values(Component(wasm, kind, folder))
            count += len(found)
            others += with_other_bits(found, expected)
            largest = max(largest, deviation(found, expected))
        if shutil.which("node"):
            with tempfile.TemporaryDirectory() as folder:
                starts, expected = plainly(Native(native, "CoSimulation", folder))
            found = in_node(wasm, starts)
            count += len(found)
            largest = max(largest, deviation(found, expected))
        else:
            print("skipped: Node is not installed")
        with zipfile.ZipFile(wasm) as file:
            size = sum(entry.compress_size for entry in file.infolist() if entry.filename.endswith(".wasm"))
        print(
            f"{wasm}: {count} values, {others} with other bits, largest deviation {largest:.3g}, "
            f"bytes of the component in the archive: {size}"
        )
        assert largest <= TOLERANCE, largest


main(sys.argv[1:])
