"""A model that stays open, used rightly and wrongly: run where the package, NumPy, pandas, xarray and Matplotlib are."""
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
import zipfile
from pathlib import Path
from unittest import mock
import numpy as np
from checks import fails
import mechanical_fmus as m


def same(one, other):
    assert list(one) == list(other) and all(np.array_equal(one[name], other[name]) for name in one), (one, other)


CLUTCH = {"cgeo": 0.24, "fn_max": 3000, "J_a": 0.18, "J_b": 1.4, "w_a_start": 150.0, "f_normalized": 1.0}
clutch = m.build("clutch", CLUTCH, out="model", name="Clutch")
clutch_3 = m.build("clutch", CLUTCH, out="model/three", name="Clutch", fmi=3)
bushing = m.build("bushing", out="model", name="Bushing")

# Each run of an open model is that of the function, and of the command, to the bit; so are runs after others.
for file in [clutch, clutch_3]:
    for interface in ["co-simulation", "model-exchange"]:
        alone = m.simulate(file, interface=interface, stop=0.2, step=1e-3)
        with m.open(file, interface=interface) as model:
            same(alone, model.simulate(stop=0.2, step=1e-3))
            other = model.simulate({"f_normalized": 0.5}, stop=0.2, step=1e-3)
            assert not np.array_equal(other["flange_a.w"], alone["flange_a.w"])
            same(alone, model.simulate(stop=0.2, step=1e-3))
            # The momentum stays.
            momentum = 0.18 * alone["flange_a.w"] + 1.4 * alone["flange_b.w"]
            assert np.allclose(momentum, 0.18 * 150, rtol=1e-9), momentum
            assert (model.time, model.get("flange_a.w"), model.get("locked")) == (0.2, alone["flange_a.w"][-1], True)
            assert model.pid is not None
with m.open(clutch, new_instances=True) as model:
    for force in [1.0, 0.5, 1.0]:
        fresh = model.simulate(f_normalized=force, stop=0.2, step=1e-3)
    same(fresh, m.simulate(clutch, stop=0.2, step=1e-3))
command = ["simulate", str(clutch), "--stop=0.2", "--step=1e-3", "--output=model/clutch.csv"]
subprocess.run([sys.executable, "-m", "mechanical_fmus", *command], check=True, capture_output=True)
table = np.genfromtxt("model/clutch.csv", delimiter=",", names=True, deletechars="", replace_space=" ")
run = m.simulate(clutch, stop=0.2, step=1e-3)
assert all(np.array_equal(table[name], run[name]) for name in run), table.dtype.names

# Inputs as arrays, lists, texts, and files.
time_, r = np.linspace(0.0, 1.0, 11), np.zeros((11, 3))
r[:, 0] = 1e-3 * time_
Path("model/motion.csv").write_text("time,frame_b.r_0[1] [mm]\n0,0\n1,1\n")
with m.open(bushing, TS=[2e6, 1e6, 1e6]) as model:
    forces = model.simulate(input={"time": time_, "frame_b.r_0": r}, step=0.1)["frame_b.f[1]"]
    assert np.allclose(abs(forces), 2e6 * 1e-3 * time_, rtol=1e-12, atol=1e-9), forces
    listed = {"time": time_.tolist(), "frame_b.r_0": r.tolist()}
    for given in [listed, "model/motion.csv", Path("model/motion.csv")]:
        assert np.allclose(model.simulate(input=given, step=0.1)["frame_b.f[1]"], forces, rtol=1e-12), given
    assert abs(model.simulate({"TS": [4e6, 1e6, 1e6]}, input=listed)["frame_b.f[1]"][-1]) == 4000
    # An input of the run comes before a value of the model.
    model.set({"frame_b.r_0": [9.0, 0.0, 0.0]})
    assert model.simulate(input=listed, step=0.1)["frame_b.f[1]"][-1] == forces[-1]
    model.reset()
    # Another folder is no other model.
    os.chdir("model")
    assert abs(model.simulate(input="motion.csv", step=0.1)["frame_b.f[1]"][-1]) == 2000
    os.chdir("..")
    Path("model/motion.csv").unlink()
    fails(
        "failed to open file `model/motion.csv`: No such file or directory (os error 2)",
        model.simulate, input="model/motion.csv",
    )

# Values: at the start, at the end of a run, until reset.
with m.open(clutch) as model:
    assert model.time == 0.0 and model.get(["w_a_start", "locked"]) == {"w_a_start": 150.0, "locked": False}
    model.set(w_a_start=100.0)
    assert (model.get("flange_a.w"), model.simulate(stop=0.01)["flange_a.w"][0]) == (100.0, 100.0)
    # An input changes at this point, a fixed parameter at the start.
    model.set(f_normalized=0.0)
    assert (model.time, model.get("tau")) == (0.01, 0.0)
    model.set(J_a=0.2)
    assert (model.time, model.get("J_a"), model.get("flange_a.w")) == (0.0, 0.2, 100.0)
    model.reset()
    assert model.get(["flange_a.w", "J_a", "f_normalized"]) == {"flange_a.w": 150.0, "J_a": 0.18, "f_normalized": 1.0}
with m.open(bushing) as model:
    matrix = model.get("frame_a.R.T")
    assert matrix.shape == (3, 3) and np.array_equal(matrix, np.eye(3)), matrix

# States: a run in two parts is one run; a state belongs to no process.
for file in [clutch, clutch_3]:
    whole = m.simulate(file, stop=0.2, step=1e-3)
    with m.open(file) as model:
        first = model.simulate(stop=0.1, step=1e-3, open_end=True)
        state = model.state
        assert state.time == 0.1
        second = model.simulate(stop=0.2, step=1e-3, state=state)
        joined = np.concatenate([first["flange_a.w"], second["flange_a.w"][1:]])
        assert np.allclose(joined, whole["flange_a.w"], rtol=1e-6), joined - whole["flange_a.w"]
        released = model.simulate({"f_normalized": 0.0}, stop=0.2, step=1e-3, state=state)
        assert np.allclose(released["flange_a.w"], first["flange_a.w"][-1], rtol=1e-6)
        model.state = state
        assert (model.time, model.get("flange_a.w")) == (0.1, first["flange_a.w"][-1])
    with m.open(file) as model:
        again = model.simulate(stop=0.2, step=1e-3, state=pickle.loads(pickle.dumps(state)))
        same(again, second)
with m.open(clutch, interface="model-exchange") as model:
    model.simulate(stop=0.1, step=1e-3, open_end=True)
    second = model.simulate(stop=0.2, step=1e-3, state=model.state)
    assert np.allclose(second["flange_a.w"], whole["flange_a.w"][100:], rtol=1e-5), second["flange_a.w"]
    fails("a state is one that `model.state` gave, not of the type bytes", model.simulate, state=b"1", kind=TypeError)
    fails("a state is one that `model.state` gave, not of the type bytes", setattr, model, "state", b"1", kind=TypeError)

# Derivatives: of the outputs by inputs, of the states, along the tangent of a run.
with m.open(bushing, TS=[3e6, 2e6, 1e6]) as model:
    stiffness = model.derivatives("frame_b.f", "frame_b.r_0")
    assert stiffness.exact and np.array_equal(abs(stiffness.matrix), np.diag([3e6, 2e6, 1e6])), stiffness
    assert abs(stiffness["frame_b.f[2]", "frame_b.r_0[2]"]) == 2e6 and stiffness.units["frame_b.f[2]"] == "N"
    assert np.asarray(stiffness).shape == stiffness.to_pandas().shape == (3, 3)
    fails("'there is no `x`; available: frame_b.f[1], frame_b.f[2], frame_b.f[3]'", stiffness.__getitem__, ("x", "y"), kind=KeyError)
    all_of_them = model.derivatives()
    assert all_of_them["frame_b.f[1]", "frame_b.r_0[1]"] == stiffness["frame_b.f[1]", "frame_b.r_0[1]"]
with m.open(clutch, interface="model-exchange") as model:
    model.simulate(stop=0.02)
    system = model.derivatives()
    states = ["flange_a.phi", "flange_a.w", "phi_rel", "w_rel"]
    assert list(system.by[:4]) == states and system.time == 0.02, system
    # Slipping: the torque turns neither with angles nor, at constant friction, with speeds.
    inverse = [system["flange_a.a", "flange_a.tau"], system["flange_b.a", "flange_b.tau"]]
    assert np.allclose(inverse, [1 / 0.18, 1 / 1.4], rtol=1e-12), inverse
    torque = model.get("tau")
    assert np.isclose(system["tau", "f_normalized"], torque, rtol=1e-12), (system["tau", "f_normalized"], torque)
    fails(
        "there are no derivatives with respect to `J_a`, which is a parameter: there are with respect to continuous "
        "inputs, and to continuous states",
        model.derivatives, "tau", "J_a",
    )
    fails("`mode` has no derivatives: it is not continuous", model.derivatives, "mode")
    fails("there is no variable `torque`", model.derivatives, "torque")
    fails(
        "the direction has 1 instead of 2 numbers, one for each of f_normalized, flange_a.tau",
        model.directional_derivative, "tau", ["f_normalized", "flange_a.tau"], [1.0],
    )



def without(file, *flags):
    """An FMU that does not claim something."""
    reduced = file.with_name("Reduced.fmu")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(reduced, "w") as new:
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename == "modelDescription.xml":
                for flag in flags:
                    assert f'{flag}="true"'.encode() in content, flag
                    content = content.replace(f'{flag}="true"'.encode(), f'{flag}="false"'.encode())
            new.writestr(entry, content)
    return reduced


for file, derivative, state in [
    (clutch, "providesDirectionalDerivative", "canSerializeFMUstate"),
    (clutch_3, "providesDirectionalDerivatives", "canSerializeFMUState"),
]:
    reduced = without(file, derivative, state)
    for interface, name in [("co-simulation", "Co-Simulation"), ("model-exchange", "Model Exchange")]:
        with m.open(file, interface=interface) as model, m.open(reduced, interface=interface) as other:
            for each in (model, other):
                each.simulate(stop=0.02)
            before = other.get(["flange_a.w", "tau", "f_normalized"])
            exact, differences = model.derivatives(), other.derivatives()
            assert (exact.exact, differences.exact) == (True, False)
            assert (exact.of, exact.by, exact.units) == (differences.of, differences.by, differences.units)
            assert np.any(exact.matrix) and np.allclose(exact.matrix, differences.matrix, rtol=1e-7, atol=1e-6), (exact, differences)
            direction = np.arange(1.0, 1.0 + len(exact.by))
            for each, derivatives in [(model, exact), (other, differences)]:
                along = each.directional_derivative(None, None, direction)
                assert np.allclose(along, derivatives.matrix @ direction, rtol=1e-12, atol=1e-9), along
            # The differences leave no trace.
            assert other.get(["flange_a.w", "tau", "f_normalized"]) == before
            fails(f"{reduced} cannot serialize its state (canSerializeFMUState) in {name}", lambda: other.state)

# What is wrong has the message of the command; the model can be used afterwards.
with m.open(clutch) as model:
    for message, arguments in {
        "there is no variable `nix`": {"show": "nix"},
        "cannot set `J=1` (only parameters and inputs can be set): there is no variable `J`": {"set": {"J": 1}},
        "cannot set `w_a_start=[1, 2]`: `w_a_start` is one value, but the given value is a vector of 2": {"w_a_start": [1, 2]},
        "cannot set `f_normalized`: `fast` is not a number": {"f_normalized": "fast"},
        "stop: 'late' is no number of seconds": {"stop": "late"},
        "the step must be a positive number, not -1 s": {"step": -1},
        "the stop time -1 s must come after the start time 0 s": {"stop": -1},
        "sheet needs an input": {"sheet": "a"},
        "skip needs an input": {"skip": "a"},
        "columns needs an input": {"columns": {"time": 1}},
        "units is for an input that is a file": {"input": {"time": [0, 1], "f_normalized": [0, 1]}, "units": ["s", "1"]},
        "the input f_normalized has values of the shape (2,), but needs ()": {"input": {"time": [0, 1], "f_normalized": [[0, 1]] * 2}},
        "the input cannot be used: column 2 must be an input of the FMU: there is no variable `force`; skip leaves a column out": {"input": {"time": [0, 1], "force": [0, 1]}},
        "the input cannot be used: at index 1, column `f_normalized`: `inf` is not a finite number": {"input": {"time": [0, 1], "f_normalized": [0.0, np.inf]}},
        "the input cannot be used: at index 0, column `f_normalized`: `on` is not a number": {"input": {"time": [0], "f_normalized": ["on"]}},
        "the input cannot be used: at index 1, column `time`: `nan` is not a number": {"input": {"time": [0, np.nan], "f_normalized": [0, 1]}},
        "the input cannot be used: it holds no row of values": {"input": {"time": [], "f_normalized": []}},
        "`f_normalized` cannot be set, since the input has a column for it": {"f_normalized": 1, "input": {"time": [0, 1], "f_normalized": [0, 1]}},
    }.items():
        fails(message, model.simulate, **arguments)
    fails("b'x' is no setting: a number, text, list, array, frame or dict is", model.simulate, J_a=b"x", kind=TypeError)
    fails("there is no variable `tau_`; did you mean `tau`?", model.get, "tau_")
    fails("cannot set `tau=1` (only parameters and inputs can be set): `tau` is an output", model.set, tau=1)
    try:
        model.simulate(J_a=-1)
    except m.SimulationError as error:
        assert "J_a" in str(error) and "-1" in str(error), error
    else:
        raise AssertionError("a negative inertia")
    same(model.simulate(stop=0.2, step=1e-3), run)
    try:
        model.simulate(stop=5.0, state=m.State(0.1, b"damaged"))
    except m.SimulationError as error:
        assert "fmi2DeSerializeFMUstate" in str(error), error
    same(model.simulate(stop=0.2, step=1e-3), run)
fails(f"{clutch} is closed: open it again", model.simulate, kind=m.ModelClosedError)
fails(f"{clutch} is closed: open it again", model.get, "tau", kind=m.ModelClosedError)
assert repr(model) == f"<Model {clutch}, closed>" and model.pid is None
model.close()
fails("failed to open file `nowhere.fmu`: No such file or directory (os error 2)", m.open, "nowhere.fmu")
fails("interface: `both` is neither co-simulation nor model-exchange", m.open, clutch, interface="both")
fails("cannot set `K=1` (only parameters and inputs can be set): there is no variable `K`", m.open, clutch, K=1)
fails("timeout: must be a positive number of seconds, not -1", m.open, clutch, timeout=-1)
fails("the FMU has no event mode (hasEventMode) in Co-Simulation", m.open, clutch, event_mode=True)
# A single step with more steps of the integrator than it will make, of 300 inertias.
chain = {f"j{i}": {"type": "Inertia", "J": 1e-3} for i in range(300)}
chain["j0"]["w_start"] = 1.0
for i in range(299):
    ends = {"flange_a": f"j{i}.flange_b", "flange_b": f"j{i + 1}.flange_a"}
    chain[f"c{i}"] = {"type": "Spring", "c": 1e5, **ends}
fast = m.build({"parts": chain, "outputs": ["j299.w"]}, out="model", name="Fast")
with m.open(fast, timeout=0.5) as model:
    message = f"{fast}: fmi2DoStep has not returned after 0.5 s"
    fails(message, model.simulate, stop=1e5, step=1e5, kind=m.FmuEndedError)
    assert model.pid is None and len(model.simulate(stop=1e-3, step=1e-4)["time"]) == 11
with warnings.catch_warnings(record=True) as caught, m.open(clutch) as model:
    warnings.simplefilter("always")
    model.simulate(stop=2.0, input={"time": [0.5, 1], "f_normalized": [0, 1]})
(text,) = (str(each.message) for each in caught)
assert text.startswith("note: the input begins at 0.5 s, after the start at 0 s") and caught[0].filename == __file__, text

# The process ends: the call says so, the next one starts another, which has the same values.
with m.open(clutch) as model:
    model.set(w_a_start=120.0)
    number = model.pid
    os.kill(number, signal.SIGKILL)
    fails(f"{clutch}: the FMU terminated the process (signal: 9 (SIGKILL))", model.simulate, kind=m.FmuEndedError)
    assert model.pid is None and model.get("flange_a.w") == 120.0 and model.pid not in (None, number)
    def send(number):
        while model.pid is None:
            time.sleep(0.01)
        os.kill(model.pid, number)
    threading.Timer(0.3, send, [signal.SIGABRT]).start()
    fails(f"{clutch}: the FMU terminated the process (signal: 6 (SIGABRT))", model.simulate, stop=4e3, step=1e-3, kind=m.FmuEndedError)
    threading.Timer(0.3, send, [signal.SIGINT]).start()
    fails(f"{clutch}: the FMU terminated the process (signal: 2 (SIGINT))", model.simulate, stop=4e3, step=1e-3, kind=m.FmuEndedError)
    assert model.simulate(stop=0.1)["flange_a.w"][0] == 120.0
    # Without the file, no other can be started.
    moved = clutch.rename("model/moved.fmu")
    assert model.simulate(stop=0.1)["flange_a.w"][0] == 120.0
    os.kill(model.pid, signal.SIGKILL)
    fails(f"{clutch}: the FMU terminated the process (signal: 9 (SIGKILL))", model.simulate, kind=m.FmuEndedError)
    fails(f"failed to open file `{clutch}`: No such file or directory (os error 2)", model.simulate)
    moved.rename(clutch)
    assert model.get("flange_a.w") == 120.0

with m.open(clutch, timeout=2.0) as model:
    os.kill(model.pid, signal.SIGSTOP)
    message = f"{clutch}: the FMU stopped the process, and nothing has continued it for 2 s"
    fails(message, model.simulate, kind=m.FmuEndedError)
    same(model.simulate(stop=0.2, step=1e-3), run)

# Ctrl-C ends a run, and leaves no process and no file.
def children():
    stats = (file.read_text().rpartition(")")[2].split() for file in Path("/proc").glob("[0-9]*/stat") if file.exists())
    return sum(int(stat[1]) == os.getpid() and stat[0] != "Z" for stat in stats)


temporary = Path(tempfile.gettempdir())
with m.open(clutch) as model:
    before = set(temporary.glob("model-*"))
    begin = []
    threading.Timer(0.3, lambda: (begin.append(time.monotonic()), os.kill(os.getpid(), signal.SIGINT))).start()
    try:
        model.simulate(stop=4e3, step=1e-3)
    except KeyboardInterrupt:
        assert time.monotonic() - begin[0] < 0.5, time.monotonic() - begin[0]
    else:
        raise AssertionError("not interrupted")
    assert model.pid is None and not (before & set(temporary.glob("model-*")))
    same(model.simulate(stop=0.2, step=1e-3), run)
    parts = []
    model.simulate(stop=1e3, step=1e-3, progress=parts.append)
    assert parts and parts == sorted(parts) and 0.0 < parts[0] and parts[-1] <= 1.0, parts

    def stop(part):
        raise LookupError("enough")

    fails("enough", model.simulate, stop=4e3, step=1e-3, progress=stop, kind=LookupError)
    same(model.simulate(stop=0.2, step=1e-3), run)

# Several threads, and a process that was forked.
with m.open(clutch) as model:
    runs = [None] * 8

    def one(number):
        runs[number] = model.simulate(w_a_start=100.0 + number, stop=0.01)["flange_a.w"][0]

    threads = [threading.Thread(target=one, args=[number]) for number in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert runs == [100.0 + number for number in range(8)], runs
    child = os.fork()
    if child == 0:
        try:
            model.simulate()
        except m.SimulationError as error:
            os._exit(0 if "was opened by another process: open it again in this one" in str(error) else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    same(model.simulate(stop=0.2, step=1e-3), run)
assert children() == 0, children()
script = f"import os; import mechanical_fmus as m; model = m.open({str(clutch)!r}); print(model.pid, flush=True); os._exit(0)"
number = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.strip()
begin = time.monotonic()
while Path("/proc", number).exists() and Path("/proc", number, "stat").read_text().rpartition(")")[2].split()[0] != "Z":
    assert time.monotonic() - begin < 20, "a process that nobody waits for goes on"
    time.sleep(0.05)


# Memory: that of 1,000 runs is that of 100.
def resident(process):
    (line,) = (line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


with m.open(clutch) as model:
    sizes = []
    for count in [100, 900]:
        for _ in range(count):
            model.simulate(stop=1.0, step=0.01)
        sizes.append((resident(model.pid), resident(os.getpid())))
    growth = [after - before for before, after in zip(*sizes)]
    assert max(growth) < 1024, sizes

# Results in the forms of other packages, and without these.
run = m.simulate(clutch, stop=0.2, step=1e-3)
frame = run.to_pandas()
assert frame.index.name == "time" and frame.attrs["units"]["flange_a.w"] == "rad/s" and len(frame) == 201, frame
assert np.array_equal(frame["tau"], run["tau"]) and "time" not in frame
dataset = run.to_xarray()
assert dataset["flange_a.w"].attrs["units"] == "rad/s" and dataset.time.attrs["units"] == "s", dataset
assert float(dataset["flange_a.w"].sel(time=0.2)) == run["flange_a.w"][-1] and dataset.attrs["title"] == "Clutch"
import matplotlib

matplotlib.use("Agg")
figure = run.plot("flange_a.w", "flange_b.w", "tau")
assert [axes.get_ylabel() for axes in figure.axes] == ["rad/s", "N.m"], figure.axes
assert [line.get_label() for line in figure.axes[0].lines] == ["flange_a.w", "flange_b.w"]
assert len(run.plot("flange_a").axes) == 3 and figure.axes[1].get_xlabel() == "time [s]"
fails(f"there is no result `w`; available: {', '.join(name for name in run if name != 'time')}", run.plot, "w")
with mock.patch.dict(sys.modules, {"pandas": None, "xarray": None, "matplotlib.pyplot": None, "numpy": None}):
    fails("pandas is not installed: pip install pandas", run.to_pandas, kind=ImportError)
    fails("xarray is not installed: pip install xarray", run.to_xarray, kind=ImportError)
    fails("matplotlib is not installed: pip install matplotlib", run.plot, kind=ImportError)
    with m.open(bushing) as model:
        assert type(model.simulate(input={"time": [0, 1], "frame_b.r_0[1]": [0, 1e-3]})["time"]) is list
        assert model.get("frame_a.R.T") == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        assert len(model.derivatives("frame_b.f", "frame_b.r_0").matrix[0]) == 3
