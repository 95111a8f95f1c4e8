"""What importers of others do with finished FMUs: `python importers.py FILE.fmu...` prints it as JSON.

Every run has the same inputs: constant, a little off their start values, which moves all components.
The values at the end must agree with those of FMPy's Co-Simulation; of an FMU of FMI 3.0, in the folder fmi3, with those of
the FMU of FMI 2.0. Each importer runs in a process of its own, so that one that crashes is a finding and no end of the run.
"""

import json
import subprocess
import sys
from importlib.metadata import version
from itertools import count, product
from math import isfinite
from pathlib import Path

STEPS, H = 100, 1e-3


def elements(variable):
    """Names of the elements of an array, those of FMI 2.0."""
    indices = product(*(range(1, size + 1) for size in variable.shape))
    return [variable.name + "[" + ",".join(map(str, index)) + "]" for index in indices] if variable.shape else [variable.name]


def model(path):
    """Value references of inputs with their values, arrays as lists, and of all that comes out, by name; Reals only."""
    import fmpy

    variables = fmpy.read_model_description(path).modelVariables
    reals = [variable for variable in variables if variable.type in ("Real", "Float64")]
    number = count()
    # Rotation matrices stay: not every matrix is one, and some axes must fit together.
    value = lambda i, v, start: float(start) + (0 if ".R.T" in v.name else 4e-5 * (1 + i % 7))
    all_of = lambda v: [value(next(number), v, start) for start in v.start.split()]
    inputs = {v.name: (v.valueReference, all_of(v)) for v in reals if v.causality == "input"}
    inputs = {name: (reference, values if len(values) > 1 else values[0]) for name, (reference, values) in inputs.items()}
    return inputs, {v.name: v.valueReference for v in reals if v.causality == "output"}


def fmpy_run(path, interface, *options, **others):
    """The values at the end of a run, with the options and without, which must not matter; and the rows with them."""
    import fmpy
    import numpy

    inputs, outputs = model(path)
    start = {name: value for name, (_, value) in inputs.items()}
    description = fmpy.read_model_description(path)
    variables = {variable.name: variable for variable in description.modelVariables}
    recorded = [*outputs, *({"mode"} & set(variables))]
    ends = []
    for value in (False, True):
        result = fmpy.simulate_fmu(
            path, fmi_type=interface, stop_time=STEPS * H, step_size=H, output_interval=H, relative_tolerance=1e-9,
            **{"start_values": start} | others, output=recorded, **{option: value for option in options},
        )
        values = lambda name: zip(elements(variables[name]), numpy.ravel(result[name][-1]).tolist())
        ends.append({element: value for name in outputs for element, value in values(name)})
    # In FMI 3.0 the options divide steps.
    if deviation(*ends) if description.fmiVersion.startswith("3") else ends[0] != ends[1]:
        raise RuntimeError(f"{', '.join(options)}: other values")
    return ends[0], result


# What FMPy offers for events; early return and event mode are for FMI 3, and must not disturb FMI 2.
OF_STEPS, OF_EVENTS = ("early_return_allowed", "use_event_mode"), ("record_events",)


def fmpy_cs(path):
    return fmpy_run(path, "CoSimulation", *OF_STEPS)[0]


def fmpy_me(path):
    return fmpy_run(path, "ModelExchange", *OF_EVENTS)[0]


def fmpy_events(path):
    """What differs between both interfaces where all inputs jump, and switches are switched, inside steps."""
    import fmpy
    import numpy

    inputs, _ = model(path)
    variables = fmpy.read_model_description(path).modelVariables
    switches = [v.name for v in variables if v.type == "Boolean" and v.causality == "input"]
    starts = {v.name: float(v.start) for v in variables if v.name in inputs}
    # So that clutch and brake slide, stick and let go.
    large = {"flange_a.tau": lambda on, grips: 0.2 - 0.1 * on, "f_normalized": lambda on, grips: 0.7 * grips}
    small = lambda name: lambda on, grips: inputs[name][1] if on else starts[name]
    courses = [large.get(name, small(name)) for name in inputs]
    points = [(0, 0, 0), (20.5, 0, 0), (20.5, 1, 1), (80.5, 1, 1), (80.5, 1, 0), (STEPS, 1, 0)]
    rows = [(step * H, *(course(on, grips) for course in courses), *(grips for _ in switches)) for step, on, grips in points]
    kinds = [("time", float), *((name, float) for name in inputs), *((name, bool) for name in switches)]
    signals = {"input": numpy.array(rows, dtype=kinds), "start_values": {}}
    steps, _ = fmpy_run(path, "CoSimulation", *OF_STEPS, **signals)
    events, rows = fmpy_run(path, "ModelExchange", *OF_EVENTS, **signals)
    missing = {0, 1, 2} - set(abs(rows["mode"])) if "mode" in rows.dtype.names else set()
    found = deviation(events, steps) + [f"mode {mode} does not occur" for mode in sorted(missing)]
    return found + ([] if len(rows) > STEPS + 1 else ["FMPy has recorded no event"])


def fmpy_check(path):
    from fmpy.validation import validate_fmu

    return validate_fmu(path)


def libcosim(path):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    # It goes on after an error that it logs.
    log_output_level(CosimLogLevel.WARNING)
    inputs, outputs = model(path)
    execution = CosimExecution.from_step_size(step_size=round(H * 1e9))  # nanoseconds
    slave = execution.add_local_slave(CosimLocalSlave(fmu_path=path, instance_name="fmu"))
    for reference, value in inputs.values():
        execution.real_initial_value(slave, reference, value)
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer=observer)
    if not execution.step(step_count=STEPS):
        raise RuntimeError("no step")
    values = observer.last_real_values(slave_index=slave, variable_references=list(outputs.values()))
    return dict(zip(outputs, values))


def ecos(path):
    from ecospy import EcosSimulation, EcosSimulationStructure

    inputs, outputs = model(path)
    # It takes an array for its first element.
    if any(isinstance(value, list) for _, value in inputs.values()):
        return "inputs are arrays"
    with EcosSimulationStructure() as structure:
        structure.add_model("fmu", path)
        structure.add_parameter_set("initial", {f"fmu::{name}": value for name, (_, value) in inputs.items()})
        with EcosSimulation(structure=structure, step_size=H) as simulation:
            if not simulation.init(parameter_set="initial"):
                raise RuntimeError("no initialisation")
            simulation.step(STEPS)
            return {name: simulation.get_real(f"fmu::{name}") for name in outputs}


def casadi_jacobian(path):
    """Where the Jacobian of CasADi's function differs from columns that FMPy gets by directional derivatives; the reason
    where CasADi cannot read the FMU. Outputs that are arrays are left out."""
    import tempfile
    import zipfile
    from ctypes import c_double

    import casadi
    import fmpy
    import numpy
    from fmpy import fmi2, fmi3

    description = fmpy.read_model_description(path)
    # CasADi 3.8 takes an array for one number.
    arrays = {variable.name for variable in description.modelVariables if variable.shape}
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(path).extractall(folder)
        try:
            dae = casadi.DaeBuilder("fmu", folder)
        except RuntimeError as error:
            # The numbers of rows of tables, which it does not know.
            if "No such enum: 'structuralParameter'" in str(error):
                return "structural parameters"
            raise
        states, inputs = dae.x(), dae.u()
        if not arrays.isdisjoint([*states, *inputs]):
            return "states or inputs are arrays"
        variables = {element: (variable, position) for variable in description.modelVariables
                     for position, element in enumerate(elements(variable))}
        is_real = lambda name: variables[name][0].type in ("Real", "Float64")
        inputs_of = [name for name in inputs if is_real(name)]
        # A variable cannot be two of CasADi's.
        taken = {*states, *dae.der(states)}
        dae.set_y([name for name in dae.y() if name not in taken | arrays and is_real(name)])
        outputs = dae.y()
        if not outputs and not states:
            return "outputs are arrays, and no states"
        rows = [(name, "ode") for name in dae.der(states)] + [(name, "y") for name in outputs]
        function = dae.create("fmu", ["x", "u"], ["ode", "y"])
        names = [f"jac:{of}:{by}" for of in ("ode", "y") for by in ("x", "u")]
        jacobian = function.factory("jacobian", ["x", "u"], names)
        # Not at the start values, where much is zero.
        given, _ = model(path)
        named = {variable.name: variable for variable in description.modelVariables}
        flat = {name: value for array, (_, values) in given.items()
                for name, value in zip(elements(named[array]), numpy.ravel(values))}
        starts = numpy.array(dae.start(inputs), dtype=float).ravel() if inputs else numpy.zeros(0)
        at_u = numpy.array([flat.get(name, start) for name, start in zip(inputs, starts)])
        is_fmi_3 = description.fmiVersion.startswith("3")
        common = dict(guid=description.guid, unzipDirectory=folder, instanceName="fmu",
                      modelIdentifier=description.modelExchange.modelIdentifier)
        fmu = fmi3.FMU3Model(**common) if is_fmi_3 else fmi2.FMU2Model(**common)
        fmu.instantiate()
        if not is_fmi_3:
            fmu.setupExperiment()
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        update = fmu.updateDiscreteStates if is_fmi_3 else fmu.newDiscreteStates
        while update()[0]:
            pass
        fmu.enterContinuousTimeMode()
        # As CasADi does, after the modes of friction are chosen.
        set_reals(fmu, is_fmi_3, given)
        # The start values of states may be guesses, with which nothing can be computed.
        at_x = (c_double * len(states))()
        if states:
            fmu.getContinuousStates(at_x, len(states))
        ours = columns(fmu, is_fmi_3, [variables[name] for name, _ in rows], [variables[name] for name in [*states, *inputs_of]])
        fmu.terminate()
        fmu.freeInstance()
        blocks = [numpy.array(casadi.DM(block).full()) for block in jacobian(numpy.array(at_x), at_u)]
        theirs = numpy.block([blocks[:2], blocks[2:]])
        keep = [*range(len(states)), *(len(states) + i for i, name in enumerate(inputs) if is_real(name))]
        theirs = theirs[:, keep]
    scale = max(1.0, numpy.abs(ours).max(initial=0.0))
    wrong = numpy.argwhere(~(numpy.abs(theirs - ours) <= 1e-10 * scale))
    return [f"d {rows[i][0]} / d {[*states, *inputs_of][j]} is {theirs[i, j]!r}, not {ours[i, j]!r}" for i, j in wrong[:1]]


def set_reals(fmu, is_fmi_3, given):
    """Sets inputs, arrays as a whole."""
    import numpy

    for reference, values in given.values():
        values = numpy.ravel(values).tolist()
        fmu.setFloat64([reference], values) if is_fmi_3 else fmu.setReal([reference], values)


def columns(fmu, is_fmi_3, unknowns, knowns):
    """The Jacobian by directional derivatives, of elements given as variables with positions in them."""
    import numpy

    jacobian = numpy.zeros((len(unknowns), len(knowns)))
    for column, (known, position) in enumerate(knowns):
        if not is_fmi_3:
            references = [unknown.valueReference for unknown, _ in unknowns]
            jacobian[:, column] = fmu.getDirectionalDerivative(references, [known.valueReference], [1.0])
            continue
        size = lambda variable: int(numpy.prod(variable.shape)) if variable.shape else 1
        seeds = [float(i == position) for i in range(size(known))]
        for row, (unknown, element) in enumerate(unknowns):
            found = fmu.getDirectionalDerivative([unknown.valueReference], [known.valueReference], seeds, size(unknown))
            jacobian[row, column] = found[element]
    return jacobian


def toolbox(path):
    run = subprocess.run([Path(sys.executable).with_name("fmutool"), "-input", path, "-check"], capture_output=True)
    lines = (run.stdout + run.stderr).decode(errors="replace").splitlines()
    return [line for line in lines if "error" in line.lower() and "no semantic error" not in line.lower()] or (
        [f"exit status {run.returncode}"] if run.returncode else []
    )


def schema(path):
    import zipfile

    import fmpy

    standard = "fmi" + fmpy.read_model_description(path).fmiVersion[0]
    xsd = Path(fmpy.__file__).with_name("schema") / standard / f"{standard}ModelDescription.xsd"
    xml = zipfile.ZipFile(path).read("modelDescription.xml")
    command = ["xmllint", "--noout", "--nonet", "--schema", xsd, "-"]
    run = subprocess.run(command, input=xml, capture_output=True)
    return run.stderr.decode(errors="replace").splitlines()[:-1] if run.returncode else []


# Name, package, what it does, function; checks give lists of problems and simulations values, or a reason where the
# importer does not know the FMU's variables.
IMPORTERS = [
    ("FMPy", "fmpy", "valid", fmpy_check),
    ("FMPy", "fmpy", "CS", fmpy_cs),
    ("FMPy", "fmpy", "ME", fmpy_me),
    ("FMPy", "fmpy", "events", fmpy_events),
    ("libcosimpy", "libcosimpy", "CS", libcosim),
    ("ecospy", "ecospy", "CS", ecos),
    ("FMU Manipulation Toolbox", "fmu-manipulation-toolbox", "valid", toolbox),
    ("CasADi", "casadi", "Jacobian", casadi_jacobian),
    ("XSD", None, "valid", schema),
]


# What FMI 2.0 alone has here: FMPy's events of FMI 3.0 are tested with the FMUs, and libcosim does not know FMI 3.0.
FMI_2_ONLY = [fmpy_events, libcosim]

# What runs the FMUs in the folder systems, whose inputs have no common course.
OF_SYSTEMS = [fmpy_check, toolbox, casadi_jacobian, schema]

# What each needs beside Python, and what installs it.
NEEDS = {
    "libcosimpy": ("import libcosimpy.CosimSlave", "it comes for Linux on x86-64 only"),
    "ecospy": ("import ecospy", "apt-get install libtbb12; it comes for Linux on x86-64 only"),
    "CasADi": ("import casadi", "it comes for Python 3.11 and newer"),
    "XSD": ("import shutil, sys; sys.exit(not shutil.which('xmllint'))", "xmllint: apt-get install libxml2-utils"),
}


def absent():
    """The importers that cannot run here, with what would help."""
    lacks = lambda test: subprocess.run([sys.executable, "-c", test], capture_output=True).returncode
    return {importer: install for importer, (test, install) in NEEDS.items() if lacks(test)}


def deviation(values, expected):
    """The first value that is not the expected one."""
    for name, value in expected.items():
        if not isfinite(values[name]) or abs(values[name] - value) > 1e-6 * max(1.0, abs(value)):
            return [f"{name} is {values[name]!r}, not {value!r}"]
    return []


def run(function, path):
    """Runs one importer in a process of its own; its answer, or what is wrong."""
    command = [sys.executable, __file__, "--one", function.__name__, path]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    answers = [line for line in lines if line.startswith("answer ")]
    if done.returncode or not answers:
        return None, [f"ended with {done.returncode}: {' / '.join(lines[-3:])}"]
    said = [line for line in lines if "[error]" in line.lower()]
    return json.loads(answers[-1].removeprefix("answer ")), said


def main(files):
    done, problems, missing, ends = {}, [], absent(), {}
    for path in map(Path, files):
        is_fmi_3 = path.parent.name == "fmi3"
        name = path.stem + (", FMI 3.0" if is_fmi_3 else "")
        is_system = "systems" in path.parts
        twin = path.parents[1] / path.name if is_fmi_3 else path
        if twin not in ends and not is_system:
            ends[twin] = run(fmpy_cs, twin)
        expected = ends[twin][0] if not is_system else None
        of_file, reasons = done.setdefault(name, {}), {}
        for importer, _, kind, function in IMPORTERS:
            if importer in missing:
                continue
            if is_system and function not in OF_SYSTEMS:
                reasons[importer] = "components only"
                continue
            if is_fmi_3 and function in FMI_2_ONLY:
                reasons[importer] = "FMI 2.0 only"
                continue
            answer, found = ends[path] if function is fmpy_cs and path in ends else run(function, path)
            if isinstance(answer, str):
                reasons[importer] = answer
                if not found:
                    continue
            elif isinstance(answer, list):
                found += answer
            elif answer is not None:
                found += deviation(answer, expected or {}) if expected else ["nothing to compare with"]
            problems += [f"{name}: {importer}, {kind}: {problem}" for problem in found]
            of_file.setdefault(importer, []).append("problems" if found else kind)
        for importer, reason in reasons.items():
            of_file.setdefault(importer, [f"– ({reason})"])
    versions = [[importer, package and version(package)] for importer, package, _, _ in IMPORTERS
                if importer not in missing]
    print(json.dumps({"importers": versions, "absent": missing, "done": done, "problems": problems}))


if sys.argv[1] == "--one":
    print("answer", json.dumps(globals()[sys.argv[2]](sys.argv[3])))
else:
    main(sys.argv[1:])
