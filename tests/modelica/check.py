"""Compiles and simulates the models of the package MechanicalFMUs with Rumoca.

usage: check.py PACKAGE FMU...

Rumoca knows no external objects, so Internal.mo of this folder takes the place of the package's functions: their results
are known numbers. A model is connected with known motions and loads; then every input must have its value in the arrays
that go to the FMU, at the place that the lists of value references say, and every output must have arrived where it
belongs. The first model of something that moves is tried in both forms, which differ in the same lines everywhere.
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
    "R.w": [SPEED, 0, 0],
    "z": [ACCELERATION, 0, 0],
}
RATES = ("v_0", "a_0", "z", "w", "v", "a")
# By the last but one part of the class: what is given from outside, which flow, and what gives it.
DOMAINS = {
    "MultiBody": ("r_0", FRAME, {"f": [1, 2, 3], "t": [4, 5, 6]}, "MovingFrame", "AcceleratedFrame"),
    "Rotational": ("phi", SHAFT, {"tau": 7}, "MovingShaft", "LoadedShaft"),
    "Translational": ("s", ROD, {"f": 7}, "MovingRod", "LoadedRod"),
    "HeatTransfer": ("T", {"T": 300}, {"Q_flow": None}, "Hot", None),
}


def bare(name):
    return re.sub(r"\[[^\]]*\]$", "", name)


class Variable:
    """A variable of the FMU; a parameter has a number that no other has."""

    def __init__(self, element, position, items):
        self.name, self.causality = element.get("name"), element.get("causality")
        self.reference, self.discrete = int(element.get("valueReference")), element.get("variability") == "discrete"
        child = next(child for child in element if child.tag != "Annotations")
        self.type, self.start, declared = child.tag, child.get("start"), child.get("declaredType")
        self.choice = f"{declared}Choice.{items[declared][-1]}" if self.type == "Enumeration" else None
        self.number = {
            "Real": 100 + position / 8,
            "Integer": position,
            "Boolean": position % 2 == 0,
            "Enumeration": len(items.get(declared, [])),
        }.get(self.type)


def text(variable, model):
    if variable.choice:
        return f"MechanicalFMUs.{model}.{variable.choice}"
    return str(variable.number).lower() if isinstance(variable.number, bool) else repr(variable.number)


def array(members, model):
    """The numbers of a parameter in as many braces as it has dimensions."""
    indices = re.search(r"\[([^\]]*)\]$", members[-1].name)
    values = [text(v, model) for v in members]
    if not indices:
        return values[0]
    columns = int(indices[1].split(",")[-1])
    rows = ["{" + ", ".join(values[i:i + columns]) + "}" for i in range(0, len(values), columns)]
    return rows[0] if "," not in indices[1] else "{" + ", ".join(rows) + "}"


def lists(model):
    """References by level of inputs and outputs, from the arguments of the instance."""
    arguments = model.split("Internal.Instance(\n")[1].split(");\n")[0].split(",\n")
    numbers = [[int(n) for n in re.findall(r"\d+", a)] for a in arguments[9:13]]
    levels = []
    for references, counts in (numbers[0:2], numbers[2:4]):
        assert len(references) == sum(counts), (references, counts)
        levels.append([[references.pop(0) for _ in range(count)] for count in counts])
    return levels


def surroundings(name, variables, terminals, model, linear):
    """The model among known motions and loads, with what is expected of it at the end."""
    parts, equations, expected, changes, values = [], [], {}, {}, {}
    by_name = {v.name: v for v in variables}
    inputs, outputs = lists(model)
    moves = bool(outputs[0])
    numbers = {}
    for level, references in enumerate(outputs):
        for k, reference in enumerate(references, 1 + (len(outputs[2]) if linear and moves and level == 3 else 0)):
            numbers[reference] = (500 if linear and moves and level > 1 else 100 + 100 * level) + k / 8
    in_terminals = set()
    for terminal in terminals:
        port = terminal.get("name")
        potential, motion, load, moving, loaded = DOMAINS[terminal.get("terminalKind").split(".")[-3]]
        members = {m.get("memberName"): m.get("variableName") for m in terminal.iter("TerminalMemberVariable")}
        in_terminals |= set(members.values())
        of = {member: by_name[full] for member, full in members.items()}
        given = any(bare(m) == potential and v.causality == "output" for m, v in of.items())
        at_rest = any(bare(m) == potential and v.discrete for m, v in of.items())
        if not at_rest:
            parts.append(f"Surroundings.{loaded if given else moving} at_{port};")
            equations.append(f"connect(at_{port}.port, part.{port});")
        for member, v in of.items():
            place = [int(i) for i in re.findall(r"\d+", member[len(bare(member)):])]
            at = 0 if not place else place[0] - 1 if len(place) == 1 else 3 * place[0] + place[1] - 4
            known = (load if bare(member) in load else motion).get(bare(member))
            if v.causality == "input":
                values[v.reference] = known[at] if isinstance(known, list) else known
            elif at_rest:
                if bare(member) == potential:
                    expected[f"part.{port}.{member}"] = 0
            elif bare(member) in ((potential, "R.T", "R.w") if given else load):
                expected[f"part.{port}.{member}"] = numbers[v.reference]
            elif given and bare(member) in RATES:
                expected[f"at_{port}.{member}"] = numbers[v.reference]
    total = 0
    for v in variables:
        if v.name in in_terminals or v.number is None:
            continue
        if v.causality == "parameter":
            changes.setdefault(bare(v.name).replace(".", "_"), []).append(v)
            total += (v.reference + 1) * v.number
        elif v.causality == "input":
            equations.append(f"part.{v.name} = {text(v, name)};")
            values[v.reference] = v.number
        elif v.causality == "output":
            expected[f"part.{v.name.replace('.', '_') if '[' not in v.name else v.name}"] = numbers[v.reference]
    for level, references in enumerate(inputs):
        for k, reference in enumerate(references, 1):
            expected[f"part.in{level}[{k}]"] = values[reference]
    expected["part.fmu"] = total
    changes = [f"{parameter} = {array(members, name)}" for parameter, members in changes.items()]
    if moves:
        changes.append(f"linearForm = {str(linear).lower()}")
    body = "\n  ".join([f"MechanicalFMUs.{name} part({', '.join(changes)});", *parts])
    body += "\nequation\n  " + "\n  ".join(equations)
    return f"within;\nmodel Test_{name}\n  {body}\nend Test_{name};\n", expected


def without_texts(model):
    """A model for the stand-ins: Rumoca knows neither external objects nor texts in functions."""
    return re.sub(r"Internal.Instance fmu = .*?\}\",", "Real fmu = Internal.open(", model, flags=re.DOTALL)


def copied(package, folder):
    """The package with the stand-ins, in a folder."""
    package = shutil.copytree(package, os.path.join(folder, "MechanicalFMUs"))
    shutil.copy(os.path.join(HERE, "Internal.mo"), package)
    for file in ("Modelica.mo", "Surroundings.mo"):
        shutil.copy(os.path.join(HERE, file), folder)
    return package


def check(archive, folder, linear):
    with zipfile.ZipFile(archive) as fmu:
        description = etree.fromstring(fmu.read("modelDescription.xml"))
        terminals = etree.fromstring(fmu.read("terminalsAndIcons/terminalsAndIcons.xml"))
    name = description.get("modelName")
    types = description.iterfind("TypeDefinitions/SimpleType")
    items = {t.get("name"): [item.get("name") for item in t.iter("Item")] for t in types}
    elements = description.findall("ModelVariables/ScalarVariable")
    variables = [Variable(element, position, items) for position, element in enumerate(elements)]
    file = os.path.join(folder, "MechanicalFMUs", f"{name}.mo")
    with open(file, encoding="utf-8") as source:
        model = source.read()
    test, expected = surroundings(name, variables, terminals.findall("Terminals/Terminal"), model, linear)
    for path, content in (
        (file, without_texts(model)),
        (os.path.join(folder, f"Test_{name}.mo"), test),
    ):
        with open(path, "w", encoding="utf-8") as output:
            output.write(content)
    session = rumoca.Session([os.path.join(folder, "MechanicalFMUs")])
    compiled = session.load(os.path.join(folder, f"Test_{name}.mo"), model=f"Test_{name}")
    return name, compiled.simulate(END), expected


def open_model(package, name):
    with open(os.path.join(package, f"{name}.mo"), encoding="utf-8") as model:
        return model.readlines()


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
    wrong, forms = 0, (True, False)
    for archive in archives:
        name = os.path.splitext(os.path.basename(archive))[0]
        has_forms = any("linearForm" in line for line in open_model(package, name))
        for linear in forms if has_forms else (True,):
            with tempfile.TemporaryDirectory() as folder:
                copied(package, folder)
                name, result, expected = check(archive, folder, linear)
            found = list(differences(result, expected))
            wrong += len(found)
            print(f"{name}: {len(expected)} values, {len(found)} wrong", *found, sep="\n  ")
        if has_forms:
            forms = (True,)
    return 1 if wrong or not archives else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
