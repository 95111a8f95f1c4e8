"""What importers of others do with finished FMUs: `python importers.py FILE.fmu...` prints it as JSON.

Every run has the same inputs: constant, a little off their start values, which moves all components.
The values at the end must agree with those of FMPy's Co-Simulation. Each importer runs in a process of its own, so
that one that crashes is a finding and no end of the run.
"""

import json
import subprocess
import sys
from importlib.metadata import version
from math import isfinite
from os.path import basename
from pathlib import Path

STEPS, H = 100, 1e-3


def model(path):
    """Value references of inputs with their values, and of all that comes out, by name; Reals only."""
    import fmpy

    variables = fmpy.read_model_description(path).modelVariables
    reals = [variable for variable in variables if variable.type == "Real"]
    inputs = [variable for variable in reals if variable.causality == "input"]
    # Rotation matrices stay: not every matrix is one, and some axes must fit together.
    value = lambda i, v: float(v.start) + (0 if ".R.T[" in v.name else 4e-5 * (1 + i % 7))
    values = {v.name: (v.valueReference, value(i, v)) for i, v in enumerate(inputs)}
    return values, {v.name: v.valueReference for v in reals if v.causality == "output"}


def fmpy_run(path, interface, *options, **others):
    """The values at the end of a run, with the options and without, which must not matter; and the rows with them."""
    import fmpy

    inputs, outputs = model(path)
    start = {name: value for name, (_, value) in inputs.items()}
    recorded = [*outputs, *({"mode"} & {v.name for v in fmpy.read_model_description(path).modelVariables})]
    ends = []
    for value in (False, True):
        result = fmpy.simulate_fmu(
            path, fmi_type=interface, stop_time=STEPS * H, step_size=H, output_interval=H, relative_tolerance=1e-9,
            **{"start_values": start} | others, output=recorded, **{option: value for option in options},
        )
        ends.append({name: float(result[name][-1]) for name in outputs})
    if ends[0] != ends[1]:
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
    with EcosSimulationStructure() as structure:
        structure.add_model("fmu", path)
        structure.add_parameter_set("initial", {f"fmu::{name}": value for name, (_, value) in inputs.items()})
        with EcosSimulation(structure=structure, step_size=H) as simulation:
            if not simulation.init(parameter_set="initial"):
                raise RuntimeError("no initialisation")
            simulation.step(STEPS)
            return {name: simulation.get_real(f"fmu::{name}") for name in outputs}


def toolbox(path):
    run = subprocess.run([Path(sys.executable).with_name("fmutool"), "-input", path, "-check"], capture_output=True)
    lines = (run.stdout + run.stderr).decode(errors="replace").splitlines()
    return [line for line in lines if "error" in line.lower() and "no semantic error" not in line.lower()] or (
        [f"exit status {run.returncode}"] if run.returncode else []
    )


def schema(path):
    import zipfile

    import fmpy

    xsd = Path(fmpy.__file__).with_name("schema") / "fmi2" / "fmi2ModelDescription.xsd"
    xml = zipfile.ZipFile(path).read("modelDescription.xml")
    command = ["xmllint", "--noout", "--nonet", "--schema", xsd, "-"]
    run = subprocess.run(command, input=xml, capture_output=True)
    return run.stderr.decode(errors="replace").splitlines()[:-1] if run.returncode else []


# Name, package, what it does, function; checks give lists of problems and simulations values.
IMPORTERS = [
    ("FMPy", "fmpy", "valid", fmpy_check),
    ("FMPy", "fmpy", "CS", fmpy_cs),
    ("FMPy", "fmpy", "ME", fmpy_me),
    ("FMPy", "fmpy", "events", fmpy_events),
    ("libcosimpy", "libcosimpy", "CS", libcosim),
    ("ecospy", "ecospy", "CS", ecos),
    ("FMU Manipulation Toolbox", "fmu-manipulation-toolbox", "valid", toolbox),
    ("XSD of FMI 2.0", None, "valid", schema),
]


# What each needs beside Python, and what installs it.
NEEDS = {
    "libcosimpy": ("import libcosimpy.CosimSlave", "it comes for Linux on x86-64 only"),
    "ecospy": ("import ecospy", "apt-get install libtbb12; it comes for Linux on x86-64 only"),
    "XSD of FMI 2.0": ("import shutil, sys; sys.exit(not shutil.which('xmllint'))", "xmllint: apt-get install libxml2-utils"),
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
    done, problems, missing = {}, [], absent()
    for path in files:
        name = basename(path)
        expected, _ = run(fmpy_cs, path)
        for importer, _, kind, function in IMPORTERS:
            if importer in missing:
                continue
            answer, found = run(function, path)
            if isinstance(answer, list):
                found += answer
            elif answer is not None:
                found += deviation(answer, expected or {}) if expected else ["nothing to compare with"]
            problems += [f"{name}: {importer}, {kind}: {problem}" for problem in found]
            done.setdefault(name, {}).setdefault(importer, []).append("problems" if found else kind)
    versions = [[importer, package and version(package)] for importer, package, _, _ in IMPORTERS
                if importer not in missing]
    print(json.dumps({"importers": versions, "absent": missing, "done": done, "problems": problems}))


if sys.argv[1] == "--one":
    print("answer", json.dumps(globals()[sys.argv[2]](sys.argv[3])))
else:
    main(sys.argv[1:])
