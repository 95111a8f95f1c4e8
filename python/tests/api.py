"""What users do in Python, and what they do wrong: run where the package is installed, beside forces.csv."""
import os
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from unittest import mock
import mechanical_fmus as m
assert "bushing" in [component.name for component in m.components()]
assert "Clutch" in [part.name for part in m.parts()]
T = {variable.name: variable for variable in m.info("bushing", TS=[1e6, 1e6, 2e5])}
TS = T["TS"]
assert (TS.kind, TS.type, TS.shape, TS.unit, TS.value, TS.min) == ("parameter", "Real", (3,), "N/m", [1e6, 1e6, 2e5], 0), TS
assert (T["sensor_T"].value, T["maxwell_T"].value, T["RotSeq"].value) == (False, 0, [1, 2, 3]), T
assert T["frame_a.R.T"].value == [[1, 0, 0], [0, 1, 0], [0, 0, 1]], T["frame_a.R.T"]
assert "gimbal" in T["momentLaw"].choices, T["momentLaw"]
file = m.build("bushing", TS=[1e6, 1e6, 2e5], name="Front", out="python")
assert str(file) == "python/Front.fmu", file
assert {v.name: v for v in m.info(file)}["TS"] == TS, m.info(file)
train = {"parts": {"load": {"type": "Inertia", "J": 2.0}, "motor": {"type": "Torque", "flange": "load.flange_a"}}}
assert m.build(train, name="Train", out="python").name == "Train.fmu"
soft, hard = ({"component": "bushing", "name": name, "parameters": {"TS": [c, c, c]}} for name, c in [("Soft", 1e5), ("Hard", 1e7)])
assert [file.name for file in m.build_all([soft, hard, train], out="python/all")] == ["Soft.fmu", "Hard.fmu", "System.fmu"]
assert m.build(hard, out="python").read_bytes() == Path("python/all/Hard.fmu").read_bytes()
assert m.build_all([]) == []
def fails(message, call, *arguments, kind=m.SettingsError, **settings):
    try:
        call(*arguments, **settings)
    except kind as error:
        assert message == str(error), error
    else:
        raise AssertionError(message)
endless = []
endless.append(endless)
fails("TS=[1, 2]: must be an array of 3 numbers, but has 2 instead of 3 entries", m.build, "bushing", TS=[1, 2])
fails("frame_a.r_0=1: must be an array of 3 numbers", m.build, "bushing", {"frame_a.r_0": 1})
fails("TS: is nested too deeply, or contains itself", m.build, "bushing", TS=endless)
fails("TS: is a whole number of more than 4000 digits", m.build, "bushing", TS=[10**5000, 1, 1])
fails(r"name: '\ud800' is not Unicode", m.build, "bushing", name="\ud800")
fails("parameters: 1 is no name: a text is", m.build, {"component": "bushing", "parameters": {1: 2}})
fails('dict:2:17: unknown parameter "TT"; did you mean "TD"?', m.build, {"component": "bushing", "parameters": {"TT": 1}})
fails("nowhere.toml cannot be read: No such file or directory (os error 2)", m.build, "nowhere.toml")
fails('unknown component "bashing"; did you mean "bushing"? (mechanical-fmus list shows all)', m.build, "bashing")
fails("systems needs a configuration with [parts]: give a dict, or the path of a .toml file", m.info, "systems")
fails("settings are for components, but python/Front.fmu is a finished FMU", m.info, file, TS=[1, 1, 1])
fails("bad.fmu: is a file, not a folder", m.build, "bushing", out="bad.fmu/Front.fmu", kind=OSError)
fails("1 is no name: a text is", m.build, {1: 2})
try:
    m.build("bushing", TS=[1.5] * 5000)
except m.SettingsError as error:
    assert len(str(error)) < 300 and str(error).startswith("TS=[1.5, 1.5, "), error
fails("TS: is larger than 16 MB as text, the limit for settings", m.build, "bushing", TS=[0.0] * 10_000_000)
assert m.build("bushing", TS=None, name=None, out="python/defaults").name == "Bushing.fmu"
assert m.build({"component": "bushing", "name": None}, out="python/defaults").name == "Bushing.fmu"
fails("b'x' is no setting: a number, text, list, array, frame or dict is", m.build, "bushing", TS=b"x", kind=TypeError)
Path("odd.toml").write_text('component = "bushing"\nTT = 1\n')
odd = {"component": "bushing", "parameters": {"TT": 1}}
wrong = """2 of 3 configurations have errors, nothing is built:
odd.toml:2:1: unknown entry "TT"
dict 3:2:17: unknown parameter "TT"; did you mean "TD"?"""
fails(wrong, m.build_all, [soft, "odd.toml", odd], out="python/none")
assert not Path("python/none").exists()
fails("Bushing and Bushing would both be written to python/Soft.fmu", m.build_all, [soft, soft], out="python")
Path("json.py").write_text("raise SystemExit('json of the current folder')")
assert m.validate(file) == []
Path("json.py").unlink()
assert [problem.text for problem in m.validate("bad.fmu")] == ["is truncated or not a zip archive"]
warned = '{"file": "a.fmu", "by": "mechanical-fmus 0", "problems": [{"severity": "warning", "text": "odd"}]}\n'
for status, said, message in [(1, warned, "ended with the status 1"), (0, "", "ended with the status 0")]:
    ended = m._program.Ended(status, said, [])
    with mock.patch("mechanical_fmus._program.run", return_value=ended):
        fails(message, m.validate, "a.fmu", kind=m.SimulationError)
run = m.simulate(file, {"TS": [2e6, 2e6, 2e6]}, input={"time": [0, 1], "frame_b.r_0": [[0, 0, 0], [1e-3, 0, 0]]})
assert (run["time"][-1], abs(run["frame_b.f[1]"][-1])) == (1.0, 2000.0), run
by_name = m.simulate(file, TS=[2e6, 2e6, 2e6], input={"time": [0, 1], "frame_b.r_0": [[0, 0, 0], [1e-3, 0, 0]]})
assert by_name["frame_b.f[1]"][-1] == run["frame_b.f[1]"][-1], by_name
def simulation(message, **arguments):
    fails(message, m.simulate, file, kind=m.SimulationError, **arguments)
simulation("the input has columns of different lengths: {'time': 2, 'frame_b.r_0[1]': 1}", input={"time": [0, 1], "frame_b.r_0[1]": [0]})
simulation("the input frame_b.r_0 has values of different shapes", input={"time": [0, 1], "frame_b.r_0": [[0, 0, 0], [0, 0]]})
simulation("the input frame_b.r_0 has values of the shape (2,), but needs (3,)", input={"time": [0, 1], "frame_b.r_0": [[0, 0], [0, 0]]})
simulation("the input frame_b.r_0 has values of the shape (), but needs (3,)", input={"time": [0, 1], "frame_b.r_0": [0, 0]})
simulation("the input frame_b.r_0[1] has values of the shape (1,), but needs ()", input={"time": [0, 1], "frame_b.r_0[1]": [[0], [0]]})
logged = {"time": [0, 1], "frame_b.r_0": [[0, 0, 0], [1e-3, 0, 0]], "note": [1, 2], "other": [3, 4]}
skipped = m.simulate(file, TS=[2e6, 2e6, 2e6], input=logged, skip=["note", "other"])
assert skipped["frame_b.f[1]"][-1] == run["frame_b.f[1]"][-1], skipped
def ends(message, **arguments):
    try:
        m.simulate(file, **arguments)
    except m.SimulationError as error:
        assert str(error).endswith(message), error
    else:
        raise AssertionError(message)
ends("column 6 must be an input of the FMU: there is no variable `other`; skip leaves a column out", input=logged, skip="note")
ends("there is no column `none` to skip; available: `frame_b.r_0[1]`, `frame_b.r_0[2]`, `frame_b.r_0[3]`, `note`, `other`", input=logged, skip=["none"])
Path("logged.csv").write_text("time,frame_b.r_0[1]\n0,0\n1,1e-3\n")
ends('it has no sheets, so there is none named "Motion"', input="logged.csv", sheet="Motion")
# A file of a bench: a decimal comma, headings that are not names, and an encoding of its own.
Path("bench.csv").write_text("Pr\xfcfstand 7\nZeit [s];Temperatur [\xb0C];Weg [mm]\n0;20,5;0\n1,0;21,0;1,0\n", encoding="latin-1")
bench = {"columns": {"time": "Zeit", "frame_b.r_0[1]": "Weg"}, "encoding": "windows-1252"}
for how in [bench, {**bench, "columns": ["time=1", "frame_b.r_0[1]=3"]}, {**bench, "units": ["s", "mm"], "delimiter": ";", "decimal": ",", "range": "A2:C4"}]:
    loads = m.simulate(file, TS=[2e6, 2e6, 2e6], input="bench.csv", **how)
    assert (loads["time"][-1], loads["frame_b.f[1]"][-1]) == (1.0, run["frame_b.f[1]"][-1]), (how, loads)
overridden = m.simulate(file, TS=[2e6, 2e6, 2e6], input="bench.csv", **{**bench, "units": ["s", "um"]})
assert abs(overridden["frame_b.f[1]"][-1]) == 2.0, overridden
ends("there is no column `Kraft`; available: `Zeit [s]`, `Temperatur [\u00b0C]`, `Weg [mm]`", input="bench.csv", **{**bench, "columns": {"time": "Zeit", "frame_b.r_0[1]": "Kraft"}})
ends("columns: `frame_b.r_0[1]=` must be NAME=HEADING or NAME=NUMBER, such as time=Zeit or frame_a.f[1]=2", input="bench.csv", columns={"frame_b.r_0[1]": ""})
ends("column 3 is in kg, which cannot be converted to m", input="bench.csv", **{**bench, "units": ["s", "kg"]})
ends("decimal ;: must be \".\" or \",\"", input="bench.csv", decimal=";")
def interrupted(call, *arguments, **settings):
    """Ctrl-C soon after the beginning."""
    timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    try:
        call(*arguments, **settings)
    except KeyboardInterrupt:
        return
    raise AssertionError("not interrupted")
many = [{"component": "bushing", "name": f"Bushing{number}"} for number in range(20_000)]
interrupted(m.build_all, many, out="python/many")
assert len(list(Path("python").glob("many/*.fmu"))) < len(many)
interrupted(m.simulate, file, stop=4e3, step=1e-3)
assert m.__version__.count(".") == 2, m.__version__
said = subprocess.run([sys.executable, "-W", "error", "-m", "mechanical_fmus", "--version"], capture_output=True, text=True)
assert (said.stdout, said.stderr) == (f"mechanical-fmus {m.__version__}\n", ""), said
assert {"systems.md", "bushing.md"} <= {page.name for page in m.documentation()}, m.documentation()
copies = m.examples(to="examples")
assert {copy.name for copy in copies} == {example.name for example in m.examples()} and "launch.toml" in {copy.name for copy in copies}
fails(f"{copies[0]} already exists", m.examples, to="examples", kind=FileExistsError)
assert m.build("examples/launch.toml", out="python").exists()
# It has parts in files of their own.
assert m.build("examples/engine-v6.toml", out="python").exists()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    m.simulate(file, stop=2.0, input={"time": [0, 1], "frame_b.r_0[1]": [0, 1e-3]})
    m.build("bushing", law_TS="curve", DCM_TS="attachment", TS_data={"file": "forces.csv"}, name="Curve", out="python")
kinds = [each.category for each in caught]
assert kinds[0] is m.SimulationWarning and m.SettingsNote in kinds, [str(each.message) for each in caught]
