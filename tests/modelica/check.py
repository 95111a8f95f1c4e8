"""Compiles and simulates the models of the package MechanicalFMUs with Rumoca.

usage: check.py PACKAGE FMU... [-- FMU...]

Rumoca knows no external objects, so Internal.mo of this folder takes the place of the package's functions: their results
are known numbers. A model is connected with known motions and loads; then every input must have its value in the arrays
that go to the FMU, at the place that the lists of value references say, and every output must have arrived where it
belongs. The first model of something that moves is tried in both forms, which differ in the same lines everywhere, and
without its first inner frame. The models of FMUs after the dashes are compiled, which takes a fortieth of the time, and only their calculated parameters
compared.
"""

import json
import math
import os
import re
import shutil
import sys
import tempfile
import zipfile

import fmpy
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


def port_name(variable, variables):
    """The name of an input or output in the model; an array of which only some elements are such is no array there."""
    name = bare(variable.name)
    if any(bare(other.name) == name and other.causality != variable.causality for other in variables):
        return re.sub(r"[.\[,]", "_", variable.name.rstrip("]"))
    return name.replace(".", "_") + variable.name[len(name):]


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
    # Inputs come after the states.
    return levels[0][1:], levels[1]


def inner_frame(number, member, at):
    """What the stand-in of Internal.innerFrame says of a frame."""
    return 1000 + 100 * number + ({"r_0": 0, "R.T": 3, "R.w": 12}[member] + at + 1) / 8


def surroundings(name, variables, terminals, shapes, model, linear, unused=None):
    """The model among known motions and loads, with what is expected of it at the end; `unused` is an inner frame."""
    parts, equations, expected, changes, values = [], [], {}, {}, {}
    by_name = {v.name: v for v in variables}
    inputs, outputs = lists(model)
    is_block, moves = "Internal.values(" in model, bool(outputs[0])
    inner = re.findall(r"parameter Boolean use_(\w+)", model)
    absent = {v.reference for v in variables if v.name.startswith(f"{unused}.")}
    inputs, outputs = ([[r for r in level if r not in absent] for level in levels] for levels in (inputs, outputs))
    numbers = {}
    for level, references in enumerate(outputs):
        is_linear = linear and "linearForm" in model and level in ((2,) if is_block else (2, 3))
        for k, reference in enumerate(references, 1 + (len(outputs[2]) if is_linear and level == 3 else 0)):
            numbers[reference] = (500 if is_linear else (600 if is_block else 100) + 100 * level) + k / 8
    in_terminals, positions = set(), {}
    for terminal in terminals:
        port = terminal.get("name")
        potential, motion, load, moving, loaded = DOMAINS[terminal.get("terminalKind").split(".")[-3]]
        members = {m.get("memberName"): m.get("variableName") for m in terminal.iter("TerminalMemberVariable")}
        in_terminals |= set(members.values())
        of = {member: by_name[full] for member, full in members.items()}
        given = any(bare(m) == potential and v.causality == "output" for m, v in of.items())
        at_rest = any(bare(m) == potential and v.discrete for m, v in of.items())
        if potential == "r_0":
            given_at = [numbers.get(v.reference) for m, v in of.items() if bare(m) == "r_0"]
            positions[port] = given_at if given else FRAME["r_0"]
        if port == unused:
            number = inner.index(port) + 1
            positions[port] = [inner_frame(number, "r_0", at) for at in range(3)]
        elif not at_rest:
            parts.append(f"Surroundings.{loaded if given else moving} at_{port};")
            equations.append(f"connect(at_{port}.port, part.{port});")
        for member, v in of.items():
            place = [int(i) for i in re.findall(r"\d+", member[len(bare(member)):])]
            at = 0 if not place else place[0] - 1 if len(place) == 1 else 3 * place[0] + place[1] - 4
            known = (load if bare(member) in load else motion).get(bare(member))
            if v.causality == "input":
                values[v.reference] = known[at] if isinstance(known, list) else known
            elif port == unused:
                if bare(member) in ("r_0", "R.T", "R.w"):
                    expected[f"part.{port}.{member}"] = inner_frame(number, bare(member), at)
            elif at_rest:
                if bare(member) == potential:
                    expected[f"part.{port}.{member}"] = 0
            elif bare(member) in ((potential, "R.T", "R.w") if given else load):
                expected[f"part.{port}.{member}"] = numbers[v.reference]
            elif given and bare(member) in RATES:
                expected[f"at_{port}.{member}"] = numbers[v.reference]
    for shape in shapes:
        # Its middle is where the component says, or half way between two frames. Inside of a system it is not known here.
        if shape["frame"] not in positions:
            continue
        ends = [positions[shape[end]] for end in ("frame", "to") if end in shape]
        for i, place in enumerate(zip(*ends), 1):
            expected[f"part.{shape['name']}.middle[{i}]"] = sum(place) / len(ends)
    total = 0
    for v in variables:
        if v.name in in_terminals or v.number is None:
            continue
        if v.causality == "parameter":
            changes.setdefault(bare(v.name).replace(".", "_"), []).append(v)
            total += (v.reference + 1) * v.number
        elif v.causality == "input":
            equations.append(f"part.{v.name.replace('.', '_')} = {text(v, name)};")
            values[v.reference] = v.number
        elif v.causality == "output":
            if v.reference in numbers:
                expected[f"part.{port_name(v, variables)}"] = numbers[v.reference]
    for level, references in enumerate(inputs):
        for k, reference in enumerate(references, 1):
            expected[f"part.in{level}[{k}]"] = values[reference]
    expected["part.fmu"] = total
    changes = [f"{parameter} = {array(members, name)}" for parameter, members in changes.items()]
    if "linearForm" in model:
        changes.append(f"linearForm = {str(linear).lower()}")
    if unused:
        changes.append(f"use_{unused} = false")
    parts.append("inner Modelica.Mechanics.MultiBody.World world;")
    body = "\n  ".join([f"MechanicalFMUs.{name} part({', '.join(changes)});", *parts])
    body += "\nequation\n  " + "\n  ".join(equations)
    return f"within;\nmodel Test_{name}\n  {body}\nend Test_{name};\n", expected


def without_texts(model):
    """A model for the stand-ins: Rumoca knows neither external objects nor texts in functions."""
    return re.sub(r"Internal.Instance fmu = .*?\}\",", "Real fmu = Internal.open(", model, flags=re.DOTALL)


def without_events(model):
    """A block's model between events: Rumoca takes no functions with several results at events."""
    model = re.sub(r"  when .*?end when;\n", "", model, flags=re.DOTALL).replace("pre(epoch)", "0")
    return re.sub(r"^  [^\n]*\b(epoch|nextTime|firstTime|jumped|begin|remembered)\b[^\n]*\n", "", model, flags=re.MULTILINE)


def copied(package, folder):
    """The package with the stand-ins, in a folder."""
    package = shutil.copytree(package, os.path.join(folder, "MechanicalFMUs"))
    shutil.copy(os.path.join(HERE, "Internal.mo"), package)
    for file in ("Modelica.mo", "Surroundings.mo"):
        shutil.copy(os.path.join(HERE, file), folder)
    return package


def compiled(archive, folder, linear, unused=None):
    """The model's name, its test compiled, and the values that are expected of it."""
    with zipfile.ZipFile(archive) as fmu:
        description = etree.fromstring(fmu.read("modelDescription.xml"))
        terminals = etree.fromstring(fmu.read("terminalsAndIcons/terminalsAndIcons.xml"))
        drawn = "resources/shapes.json"
        shapes = json.loads(fmu.read(drawn))["shapes"] if drawn in fmu.namelist() else []
    name = description.get("modelName")
    types = description.iterfind("TypeDefinitions/SimpleType")
    items = {t.get("name"): [item.get("name") for item in t.iter("Item")] for t in types}
    elements = description.findall("ModelVariables/ScalarVariable")
    variables = [Variable(element, position, items) for position, element in enumerate(elements)]
    file = os.path.join(folder, "MechanicalFMUs", f"{name}.mo")
    with open(file, encoding="utf-8") as source:
        model = source.read()
    test, expected = surroundings(name, variables, terminals.findall("Terminals/Terminal"), shapes, model, linear, unused)
    for path, content in (
        (file, without_events(without_texts(model))),
        (os.path.join(folder, f"Test_{name}.mo"), test),
    ):
        with open(path, "w", encoding="utf-8") as output:
            output.write(content)
    session = rumoca.Session([os.path.join(folder, "MechanicalFMUs")])
    return name, session.load(os.path.join(folder, f"Test_{name}.mo"), model=f"Test_{name}"), expected


def calculated(archive, folder):
    """Calculated parameters: their formulas in the model, beside what the FMU computes, for unusual parameters."""
    description = fmpy.read_model_description(archive)
    of = {causality: [v for v in description.modelVariables if v.causality == causality and v.type == "Real"]
          for causality in ("parameter", "calculatedParameter")}
    # Those of parts of a system have no formulas in the model.
    computed = [v.name for v in of["calculatedParameter"] if "." not in v.name]
    if not computed:
        return None, {}
    vectors = [(v.name, float(v.start)) for v in of["parameter"] if "[" in v.name and not v.name.startswith("box")]
    for change in (lambda k, x: x + 0.02 * (k % 7 - 3), lambda k, x: 1.25 * x):
        starts = {name: change(k, x) for k, (name, x) in enumerate(vectors)}
        try:
            result = fmpy.simulate_fmu(archive, start_values=starts, output=computed, stop_time=0.01)
            break
        except Exception:  # n_b must be perpendicular to n_a
            continue
    with open(os.path.join(folder, "MechanicalFMUs", f"{description.modelName}.mo"), encoding="utf-8") as source:
        model = source.read()
    frames = "Modelica.Mechanics.MultiBody.Frames"
    declarations = [
        declaration for declaration in re.findall(r"^  (?:final )?parameter (?:Real|Integer) [^;]*;", model, flags=re.M)
        if "fixed = false" not in declaration
    ]
    declarations += re.findall(r"^  parameter Boolean \w+ = true", model, flags=re.M)
    declarations = [text if text.endswith(";") else text + ";" for text in declarations]
    for name, formula in re.findall(r"^  (\w+) = (.*frame_a\.R.*);", model, flags=re.M):
        formula = re.sub(r"frame_[ab]\.R", f"{frames}.nullRotation()", formula)
        declarations.append(f"  parameter Real {name}[3] = {formula};")
    # Results have variables only.
    for name in sorted({bare(name) for name in computed}):
        size = "[3]" if f"{name}[1]" in computed else ""
        declarations.append(f"  Real of_{name}{size} = {name};")
    changes = {}
    for name, value in starts.items():
        changes.setdefault(bare(name), []).append(repr(value))
    changes = ", ".join(f"{name} = {{{', '.join(values)}}}" for name, values in changes.items())
    with open(os.path.join(folder, "Calculated.mo"), "w", encoding="utf-8") as output:
        output.write("within;\nmodel Calculated\n  model Part\n  outer Modelica.Mechanics.MultiBody.World world;\n"
                     + "\n".join(declarations) + "\n  Real x = time;\n  end Part;\n"
                     f"  inner Modelica.Mechanics.MultiBody.World world;\n  Part part({changes});\nend Calculated;\n")
    model = rumoca.Session([os.path.join(folder, "MechanicalFMUs")]).load(os.path.join(folder, "Calculated.mo"), model="Calculated")
    return model.simulate(END), {f"part.of_{name}": float(result[name][-1]) for name in computed}


def open_model(package, name):
    with open(os.path.join(package, f"{name}.mo"), encoding="utf-8") as model:
        return model.readlines()


def differences(result, expected):
    """What did not arrive."""
    names = list(result.names) if result else []
    for name, value in expected.items():
        if name not in names:
            yield f"{name} is missing"
            continue
        found = float(result[name][-1])
        if not abs(found - float(value)) <= 1e-6 * (1 + abs(float(value))):
            yield f"{name} is {found}, not {float(value)}"


def report(name, pairs, what):
    """Prints what did not arrive; returns how much that is."""
    found = [difference for pair in pairs for difference in differences(*pair)]
    count = sum(len(expected) for _, expected in pairs)
    print(f"{name}: {count} {what}, {len(found)} wrong", *found, sep="\n  ")
    return len(found)


def main(package, *arguments):
    wrong, is_first = 0, True
    whole = arguments.index("--") if "--" in arguments else len(arguments)
    archives, others = arguments[:whole], arguments[whole + 1:]
    for archive in others:
        with tempfile.TemporaryDirectory() as folder:
            copied(package, folder)
            pair = calculated(archive, folder)
            name, *_ = compiled(archive, folder, linear=True)
        wrong += report(name, [pair], "calculated parameters")
    for archive in archives:
        name = os.path.splitext(os.path.basename(archive))[0]
        model = "".join(open_model(package, name))
        has_forms, inner = "linearForm" in model, re.search(r"parameter Boolean use_(\w+)", model)
        forms = [(True, None)]
        if has_forms and is_first:
            forms += [(False, None), *([(True, inner[1])] if inner else [])]
        for linear, unused in forms:
            with tempfile.TemporaryDirectory() as folder:
                copied(package, folder)
                pairs = [calculated(archive, folder)] if (linear, unused) == (True, None) else []
                name, model, expected = compiled(archive, folder, linear, unused)
                pairs.append((model.simulate(END), expected))
            wrong += report(name, pairs, "values")
        is_first = is_first and not has_forms
    return 1 if wrong or not archives else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
