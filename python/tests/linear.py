"""Linear systems with the words of the command: run where the package, NumPy and SciPy are."""
from pathlib import Path
from unittest import mock
import sys
import numpy as np
from scipy.signal import StateSpace
from checks import fails, interrupted
import mechanical_fmus as m


spring = {"type": "SpringDamper", "c": 100.0, "d": 0.1, "flange_a": "a.flange_b", "flange_b": "b.flange_a"}
motor = {"type": "Torque", "flange": "a.flange_a"}
parts = {"a": {"type": "Inertia", "J": 1.0}, "b": {"type": "Inertia", "J": 2.0}, "c": spring, "motor": motor}
free = m.build({"parts": parts, "outputs": ["b.w"]}, name="Free", out="linear")
system = m.linearize(free)
assert (system.inputs, system.outputs, system.time) == (("motor.tau",), ("b.w",), 0.0), system
rigid, swing = system.modes
# The two inertias on the spring: a reduced inertia of 2/3.
omega = np.sqrt(100.0 / (2 / 3))
assert (rigid.kind, rigid.frequency) == ("rigid body", 0.0) and np.isclose(swing.frequency * 2 * np.pi, omega, rtol=1e-12)
assert np.isclose(swing.damping_ratio, 0.1 / (2 / 3) / (2 * omega), rtol=1e-9) and swing.eigenvalue.real < 0
assert np.isclose(sum(swing.participation.values()), 1.0) and len(swing.shape) == 4
# The response at 1 rad/s, from the equations of motion.
laplace = 1j
coupled = np.array([[laplace**2 + 0.1 * laplace + 100, -(0.1 * laplace + 100)], [-(0.1 * laplace + 100), 2 * laplace**2 + 0.1 * laplace + 100]])
expected = (laplace * np.linalg.solve(coupled, [1.0, 0.0]))[1]
_, response = StateSpace(system.A, system.B, system.C, system.D).freqresp([1.0])
assert np.isclose(response[0], expected, rtol=1e-9), (response, expected)
assert str(system).startswith("Free at 0 s: 4 states, 1 input, 1 output") and "linearize-" not in str(system), str(system)
assert system.units["motor.tau"] == "N.m" and system.values["a.w"] == 0.0

# An open model has the same matrices.
with m.open(free, interface="model-exchange") as model:
    both = model.derivatives(by=["a.phi", "a.w", "b.phi", "b.w", "motor.tau"])
    assert np.array_equal(both.matrix[:4, :4], system.A) and np.array_equal(both.matrix[:4, 4:], system.B), both

# A steady state: 5 N.m against a spring at the wall.
wall = {"wall": {"type": "Fixed"}, "k": {"type": "Spring", "c": 50.0, "flange_a": "wall.flange", "flange_b": "b.flange_b"}}
held = m.build({"parts": {**parts, **wall}, "outputs": ["b.phi"]}, name="Held", out="linear")
steady = m.linearize(held, {"motor.tau": 5.0}, trim=True)
assert np.isclose(steady.values["b.phi"], 0.1, rtol=1e-9), steady.values
asked = m.linearize(held, trim=True, free=["a.phi", "a.w", "b.phi", "b.w", "motor.tau"], target={"b.phi": 0.2})
assert np.isclose(asked.values["motor.tau"], 10.0, rtol=1e-9), asked.values
later = m.linearize(held, {"motor.tau": 5.0}, time=0.5, outputs=["b.phi", "a.w"], inputs="", write={"output": "linear/held.mat"})
assert later.time == 0.5 and later.B.shape == (4, 0) and later.outputs == ("b.phi", "a.w") and Path("linear/held.mat").exists()
# Read as `simulate` reads it: the moment in the second column, with decimal commas.
Path("linear/bench.csv").write_text("Zeit;Moment [kN.m]\n0;0,0025\n0,5;0,0025\n1;0,0025\n")
driven = m.linearize(held, input="linear/bench.csv", columns={"time": "Zeit", "motor.tau": "Moment"}, units=["s", "N.m"], decimal=",", time=0.5)
assert driven.values["motor.tau"] == 0.0025, driven.values
driven = m.linearize(held, input="linear/bench.csv", columns={"time": "Zeit", "motor.tau": 2}, decimal=",", time=0.5)
assert driven.values["motor.tau"] == 2.5, driven.values
Path("linear/bench.csv").write_text('Zeit;"Moment, ""roh"" [kN.m]"\n0;0,0025\n1;0,0025\n')
driven = m.linearize(held, input="linear/bench.csv", columns={"time": "Zeit", "motor.tau": 'Moment, "roh"'}, decimal=",", delimiter=";", time=0.5)
assert driven.values["motor.tau"] == 2.5, driven.values
assert m.simulate(held, input="linear/bench.csv", columns={"time": "Zeit", "motor.tau": 'Moment, "roh"'}, decimal=",", delimiter=";")["time"][-1] > 0
with mock.patch.dict(sys.modules, {"numpy": None}):
    assert m.linearize(free).A[1] == [-100.0, -0.1, 100.0, 0.1]

# The run up to the time tells its progress, and Ctrl-C ends it.
parts = interrupted(lambda told: m.linearize(held, {"motor.tau": 5.0}, time=1e6, progress=told), after=2, delay=0.1)
assert 0.0 < parts[0] < parts[1] < 1.0, parts

fails("outputs of a linear system are continuous variables: there is no variable `nix`", m.linearize, free, outputs="nix")
fails("cannot set `J=1` (only parameters and inputs can be set): there is no variable `J`", m.linearize, free, J=1)
fails("failed to open file `nowhere.fmu`: No such file or directory (os error 2)", m.linearize, "nowhere.fmu")
