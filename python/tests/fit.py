"""Fits with the words of the command: run where the package, NumPy, pandas and matplotlib are, beside stiffness.csv."""
import warnings
from pathlib import Path
import matplotlib
import numpy as np
from checks import fails, interrupted
import mechanical_fmus as m

matplotlib.use("Agg")

# A bench run of a clutch, with the truth, and what is guessed.
truth = {"fn_max": 10.0, "J_b": 2.0}
known = {"w_a_start": 30.0, "f_normalized": 1.0}
clutch = m.build("clutch", fn_max=12.0, J_b=1.5, out="fit")
run = m.simulate(clutch, {**truth, **known}, stop=2.0, step=0.05)
rows = zip(run["time"], run["flange_a.w"], run["flange_b.w"])
lines = ["time [s],first [rad/s],second [rad/s]", *(f"{t:.17g},{one:.17g},{other:.17g}" for t, one, other in rows)]
Path("fit/bench.csv").write_text("\n".join(lines))
bench = {"data": "fit/bench.csv", "outputs": {"flange_a.w": "first", "flange_b.w": "second"}}
plan = {
    "fmu": clutch,
    "values": known,
    "parameters": {"fn_max": {"min": 1.0, "max": 100.0, "scale": "log"}, "J_b": {"min": 0.1, "max": 10.0}},
    "experiments": [bench],
}
found = m.fit(plan, output="fit/found.toml")
for name, value in truth.items():
    assert np.isclose(found[name], value, rtol=1e-6), found
    low, high = found.estimates[name].interval
    # The data have no noise, so that the interval may be as narrow as the spacing of numbers.
    assert low <= found[name] <= high and high - low < 1e-6 * value, found
    assert not found.estimates[name].at_bound
assert found.estimates["fn_max"].unit == "N" and found.estimates["J_b"].start == 1.5
assert found.correlation.shape == (2, 2) and found.correlation[0, 0] == 1.0
first, second = found.measurements
assert (first.experiment, first.output, first.unit, first.along) == ("experiment 1", "flange_a.w", "rad/s", "time [s]")
assert np.allclose(first.measured, run["flange_a.w"]) and np.allclose(first.residuals, 0.0, atol=1e-6)
assert abs(first.before - first.measured).max() > 0.1
assert str(found).startswith("parameter") and "fit-" not in str(found), str(found)
assert list(found.to_pandas().index) == ["fn_max", "J_b"]
assert len(found.plot().axes) == 4 and len(found.plot("flange_b.w").axes) == 2
assert found.iterations > 1 and found.warnings == ()
assert any("bench.csv" in note for note in found.notes), found.notes

# The result is a configuration, and with a model the whole of it.
Path("fit/model.toml").write_text('component = "clutch"\n[parameters]\nfn_max = 12.0 # catalogue\nJ_b = 1.5\n')
again = m.fit({**plan, "model": "fit/model.toml"}, output="fit/tuned.toml", plot="fit/fit.svg")
assert "# catalogue" in again.file.read_text() and Path("fit/fit.svg").exists()
values = {variable.name: variable.value for variable in m.info(again)}
assert np.isclose(values["fn_max"], 10.0, rtol=1e-6) and m.build(again, out="fit/tuned.fmu").exists()

# What is doubtful, and what is wrong.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    more = {**plan["parameters"], "K_locked": {"start": 1.0}}
    doubtful = m.fit({**plan, "parameters": more}, output="fit/doubtful.toml")
assert [str(each.message) for each in caught] == ["warning: dict: the data do not depend on `K_locked`"], caught
assert doubtful.warnings == ("dict: the data do not depend on `K_locked`",)
assert doubtful.estimates["K_locked"].interval is None
fails("dict:1:1: no FMU is given: add a line such as fmu = \"target/fmu/Clutch.fmu\"", m.fit, {}, output="fit/a.toml")
wrong = {**plan, "parameters": {"fn_mx": {"start": 1.0}}}
fails(
    "dict:3:17: Real parameters can be found: there is no variable `fn_mx`; did you mean `fn_max`?",
    m.fit, wrong, output="fit/a.toml",
)  # fmt: skip
fails("there is no output `nix`; available: flange_a.w, flange_b.w", found.plot, "nix")
fails("'there is no `nix`; available: fn_max, J_b'", found.__getitem__, "nix", kind=KeyError)

# Progress, and Ctrl-C.
parts = []
m.fit({**plan, "starts": 100, "seed": 1}, output="fit/starts.toml", progress=parts.append)
assert parts and parts == sorted(parts) and 0.0 < parts[0] and parts[-1] <= 1.0, parts
long = {**plan, "starts": 5000, "seed": 1}
assert interrupted(lambda told: m.fit(long, output="fit/long.toml", progress=told), after=1, delay=0.3)
assert not Path("fit/long.toml").exists()

# Tables of rubber.
rubber = m.fit("stiffness.csv", output="fit/rubber.toml", maxwell=1, plot="fit/rubber.svg")
values = {variable.name: variable.value for variable in m.info(rubber)}
assert values["maxwell_T"] == 1 and values["TS"][0] > 0 and Path("fit/rubber.svg").exists(), values
assert rubber.estimates == {} and "deviation" in str(rubber), str(rubber)
assert m.validate(m.build(rubber, out="fit")) == []
fails("there are no measurements to draw", rubber.plot)
fails("fit/rubber.txt: a configuration is a .toml file", m.fit, "stiffness.csv", output="fit/rubber.txt")
fails("fit/rubber.toml: already exists; force replaces it", m.fit, "stiffness.csv", output="fit/rubber.toml")
fails("unexpected argument 'elements' found", m.fit, "stiffness.csv", output="fit/a.toml", elements=2)
