"""Compiles and simulates the generated Modelica models with Rumoca.

usage: check.py PACKAGE FMU...

In place of the block that OpenModelica makes of an FMU stands one whose outputs are known numbers. The
model is connected with known motions and loads; then every variable of every connector must have
arrived where it belongs, unchanged, with the derivatives that the FMU wants.
"""

import math
import os
import re
import shutil
import sys
import tempfile
import zipfile

import rumoca
from lxml import etree

HERE = os.path.dirname(os.path.abspath(__file__))
END = 0.5
ANGLE, SPEED, ACCELERATION = 0.1 + 0.4 * END + 0.05 * END**2, 0.4 + 0.1 * END, 0.1
SHAFT = {"phi": ANGLE, "w": SPEED, "a": ACCELERATION}
ROD = {"s": ANGLE, "v": SPEED, "a": ACCELERATION}
COSINE, SINE = math.cos(ANGLE), math.sin(ANGLE)
FRAME = {
    "r_0": [0.1 + 0.2 * END, 0.3 * END**2, -0.5 * END],
    "v_0": [0.2, 0.6 * END, -0.5],
    "a_0": [0.0, 0.6, 0.0],
    "R.T": [1, 0, 0, 0, COSINE, SINE, 0, -SINE, COSINE],
    "Q": [math.sin(ANGLE / 2), 0, 0, math.cos(ANGLE / 2)],
    "phi": [ANGLE, 0, 0],
    "R.w": [SPEED, 0, 0],
    "z": [ACCELERATION, 0, 0],
}
RATES = ("v_0", "a_0", "z", "w", "v", "a")
# By the last but one part of the class: what is given from outside, which flow, and what gives it.
DOMAINS = {
    "MultiBody": ("r_0", FRAME, {"f": [1, 2, 3], "t": [4, 5, 6]}, "MovingFrame", "LoadedFrame"),
    "Rotational": ("phi", SHAFT, {"tau": 7}, "MovingShaft", "LoadedShaft"),
    "Translational": ("s", ROD, {"f": 7}, "MovingRod", "LoadedRod"),
    "HeatTransfer": ("T", {"T": 300}, {"Q_flow": None}, "Hot", None),
}


def safe(name):
    """The name in OpenModelica's block."""
    return re.sub(r"[.\[\] ,()]", "_", name)


def bare(name):
    return re.sub(r"\[[^\]]*\]$", "", name)


class Variable:
    """A variable of the FMU with a number that no other has; texts and enumerations are left out."""

    def __init__(self, element, number):
        self.name, self.causality = element.get("name"), element.get("causality")
        child = next(child for child in element if child.tag != "Annotations")
        self.type, self.start = child.tag, child.get("start")
        self.number = {"Real": 100 + number / 8, "Integer": number, "Boolean": number % 2 == 0}.get(self.type)
        self.used = self.type in ("Real", "Integer", "Boolean")


def text(value):
    return str(value).lower() if isinstance(value, bool) else repr(value)


def array(members):
    """The numbers of a parameter in as many braces as it has dimensions."""
    indices = re.search(r"\[([^\]]*)\]$", members[-1].name)
    values = [text(v.number) for v in members]
    if not indices:
        return values[0]
    columns = int(indices[1].split(",")[-1])
    rows = ["{" + ", ".join(values[i:i + columns]) + "}" for i in range(0, len(values), columns)]
    return rows[0] if "," not in indices[1] else "{" + ", ".join(rows) + "}"


def block(name, variables):
    """A block with the ports and parameters of the FMU; its outputs are known numbers."""
    lines, equations = [], []
    for v in variables:
        if v.type == "String":
            lines.append(f'parameter String {safe(v.name)} = "";')
        if not v.used:
            continue
        if v.causality == "parameter":
            # Results have no parameters.
            lines.append(f"parameter {v.type} {safe(v.name)} = {v.start};")
            lines.append(f"{v.type} seen_{safe(v.name)} = {safe(v.name)};")
        elif v.causality in ("input", "output"):
            lines.append(f"Modelica.Blocks.Interfaces.{v.type}{v.causality.capitalize()} {safe(v.name)};")
        if v.causality == "output":
            equations.append(f"{safe(v.name)} = {text(v.number)};")
    body = "\n  ".join(lines) + "\nequation\n  " + "\n  ".join(equations)
    return f"within;\nmodel {name}_me_FMU\n  {body}\nend {name}_me_FMU;\n"


def surroundings(name, variables, terminals):
    """The model among known motions and loads, with what is expected of it at the end."""
    parts, equations, expected, changes = [], [], {}, {}
    by_name = {v.name: v for v in variables}
    in_terminals = set()
    for terminal in terminals:
        port = terminal.get("name")
        domain = terminal.get("terminalKind").split(".")[-3]
        potential, motion, load, moving, loaded = DOMAINS[domain]
        members = {m.get("memberName"): m.get("variableName") for m in terminal.iter("TerminalMemberVariable")}
        in_terminals |= set(members.values())
        of = {member: by_name[full] for member, full in members.items()}
        given = any(bare(m) == potential and v.causality == "output" for m, v in of.items())
        loads = {m for m, v in of.items() if bare(m) in load and v.causality == "input"}
        accelerated = given and any(bare(m) in ("a_0", "a") for m in of)
        if domain == "MultiBody" and accelerated:
            loaded = "AcceleratedFrame"
        if loads or not given:
            parts.append(f"Surroundings.{loaded if given else moving} at_{port};")
            equations.append(f"connect(at_{port}.port, part.{port});")
        for member, v in of.items():
            place = [int(i) for i in re.findall(r"\d+", member[len(bare(member)):])]
            at = 0 if not place else place[0] - 1 if len(place) == 1 else 3 * place[0] + place[1] - 4
            values = (load if bare(member) in load else motion).get(bare(member))
            if accelerated and bare(member) in RATES:
                expected[f"at_{port}.{member}"] = v.number
            if v.causality == "input":
                expected[f"part.fmu.{safe(v.name)}"] = values[at] if isinstance(values, list) else values
            elif bare(member) in ((potential, "R.T", "R.w") if given else load):
                expected[f"part.{port}.{member}"] = v.number
    for v in variables:
        if v.name in in_terminals or not v.used:
            continue
        if v.causality == "parameter":
            changes.setdefault(bare(v.name).replace(".", "_"), []).append(v)
            expected[f"part.fmu.seen_{safe(v.name)}"] = v.number
        elif v.causality == "input":
            equations.append(f"part.{v.name} = {text(v.number)};")
            expected[f"part.fmu.{safe(v.name)}"] = v.number
        elif v.causality == "output":
            expected[f"part.{v.name.replace('.', '_') if '[' not in v.name else v.name}"] = v.number
    changes = ", ".join(f"{parameter} = {array(members)}" for parameter, members in changes.items())
    body = "\n  ".join([f"MechanicalFMUs.{name} part({changes});", *parts]) + "\nequation\n  " + "\n  ".join(equations)
    return f"within;\nmodel Test_{name}\n  {body}\nend Test_{name};\n", expected


def check(archive, folder):
    with zipfile.ZipFile(archive) as fmu:
        description = etree.fromstring(fmu.read("modelDescription.xml"))
        terminals = etree.fromstring(fmu.read("terminalsAndIcons/terminalsAndIcons.xml"))
    name = description.get("modelName")
    elements = description.findall("ModelVariables/ScalarVariable")
    variables = [Variable(element, number) for number, element in enumerate(elements)]
    terminals = terminals.findall("Terminals/Terminal")
    model, expected = surroundings(name, variables, terminals)
    for file, content in ((f"{name}_me_FMU.mo", block(name, variables)), (f"Test_{name}.mo", model)):
        with open(os.path.join(folder, file), "w", encoding="utf-8") as output:
            output.write(content)
    session = rumoca.Session([os.path.join(folder, "MechanicalFMUs")])
    compiled = session.load(os.path.join(folder, f"Test_{name}.mo"), model=f"Test_{name}")
    return name, compiled.simulate(END), expected


def differences(result, expected):
    """What did not arrive."""
    names = list(result.names)
    for name, value in expected.items():
        if name not in names:
            yield f"{name} is missing"
            continue
        found = float(result[name][-1])
        if not abs(found - float(value)) <= 1e-6 * (1 + abs(float(value))):
            yield f"{name} is {found}, not {float(value)}"


def main(package, *archives):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(package, os.path.join(folder, "MechanicalFMUs"))
        for file in ("Modelica.mo", "Surroundings.mo"):
            shutil.copy(os.path.join(HERE, file), folder)
        for archive in archives:
            name, result, expected = check(archive, folder)
            found = list(differences(result, expected))
            wrong += len(found)
            print(f"{name}: {len(expected)} values, {len(found)} wrong", *found, sep="\n  ")
    return 1 if wrong or not archives else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
