"""Sweeps and validation with the words of the commands: run where the package, NumPy and pandas are."""
import os
import warnings
from pathlib import Path
import numpy as np
from checks import fails, interrupted
import mechanical_fmus as m


clutch = m.build("clutch", cgeo=0.24, fn_max=3000, J_b=1.0, f_normalized=1.0, out="sweep")
plan = {
    "fmu": clutch,
    "stop": 2.0,
    "step": 0.01,
    "parameters": {"J_a": [0.5, 1.0, 2.0], "w_a_start": np.linspace(50.0, 150.0, 3)},
    "results": {"flange_a.w": ["final", "series"], "lossPower": "max"},
}
table = m.sweep(plan)
assert list(table) == ["run", "J_a", "w_a_start", "final(flange_a.w)", "max(lossPower)", "status"], list(table)
# Both shafts keep their momentum and come to one speed.
common = table["J_a"] * table["w_a_start"] / (table["J_a"] + 1.0)
assert np.allclose(table["final(flange_a.w)"], common, rtol=1e-9), table
assert table["status"] == ["ok"] * 9 and table["run"].tolist() == list(range(1, 10))
assert table.series["flange_a.w"].shape == (9 * 201,) and table.series["run"][-1] == 9
assert table.to_pandas().groupby("J_a")["max(lossPower)"].max().shape == (3,)
with m.open(clutch) as model:
    for run in range(9):
        alone = model.simulate(J_a=table["J_a"][run], w_a_start=table["w_a_start"][run], stop=2.0, step=0.01)
        assert alone["flange_a.w"][-1] == table["final(flange_a.w)"][run], run

# A file, and files to write.
Path("sweep/plan.toml").write_text('fmu = "Clutch.fmu"\nstop = 0.1\n[parameters]\nJ_a = [1.0, 2.0]\n[results]\n"flange_a.w" = "final"\n')
again = m.sweep("sweep/plan.toml", output="sweep/out.csv", points="sweep/points.csv", plot="sweep/plot.svg", jobs=1)
assert again["J_a"].tolist() == [1.0, 2.0] and again.series is None
assert all(Path("sweep", name).exists() for name in ["out.csv", "points.csv", "plot.svg"])

# Times and integrals, by points that belong together, and a heat map. Constant torque: the slip falls in a straight line.
inertias, speeds = np.array([0.5, 1.0, 2.0]), np.array([100.0, 50.0, 2.0])
points = {"fmu": clutch, "stop": 0.2, "step": 1e-3, "design": "points", "parameters": {"J_a": inertias, "w_a_start": speeds}}
timed = m.sweep({**points, "results": {"w_rel": ["when > -5", "min"], "lossPower": "integral", "mode": "changes"}})
slope = (speeds - 5.0)[:2] / timed["when(w_rel > -5)"][:2]
assert np.allclose(slope[0] / slope[1], (1 / inertias[0] + 1) / (1 / inertias[1] + 1)), timed
assert timed["when(w_rel > -5)"][2] == 0.0
assert np.allclose(timed["min(w_rel)"], -speeds) and set(timed["changes(mode)"]) == {1.0}
m.sweep(plan, heat_map="sweep/map.svg")
assert "#440154" in Path("sweep/map.svg").read_text()

# What is wrong.
wrong = {**plan, "parameters": {"J_c": [1.0]}}
fails("dict:4:17: [parameters] takes parameters and inputs: there is no variable `J_c`; did you mean `J_a`?", m.sweep, wrong)
fails("dict:1:1: no FMU is given: add a line such as fmu = \"target/fmu/Clutch.fmu\"", m.sweep, {"results": {}})
fails("sweep/out.txt: results are a .parquet or a .csv file", m.sweep, plan, output="sweep/out.txt")
fails("failed to open file `nowhere.toml`: No such file or directory (os error 2)", m.sweep, "nowhere.toml")
gone = os.path.abspath("nowhere.fmu")
fails(f"failed to open file `{gone}`: No such file or directory (os error 2)", m.sweep, {**plan, "fmu": "nowhere.fmu"})
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    failed = m.sweep({**plan, "parameters": {"J_a": [0.5, 1.0], "fn_max": [3000, 1e308]}})
assert failed["status"][0] == "ok"

# Progress, and Ctrl-C, after which the same call goes on.
many = {**plan, "step": 1e-3, "results": {"flange_a.w": "final"}, "parameters": {"J_a": np.linspace(0.5, 2.0, 20_000)}}
parts = interrupted(lambda told: m.sweep(many, output="sweep/many.csv", progress=told), after=1, delay=0.3)
assert not Path("sweep/many.csv").exists(), parts
interrupted(lambda _: m.validate(*[clutch] * 50), after=0, delay=0.7)

parts = []
assert m.validate(*(m.build("clutch", out=f"sweep/{folder}") for folder in "abc"), progress=parts.append) == []
assert parts and 0.0 < parts[0] and parts[-1] == 1.0, parts
