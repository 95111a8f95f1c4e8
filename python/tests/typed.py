"""Types of an open model, as users write it."""
import mechanical_fmus

with mechanical_fmus.open("Front.fmu", TS=[1e6, 1e6, 2e5]) as model:
    run: mechanical_fmus.Trajectory = model.simulate({"TD": 1}, stop=1.0, progress=print)
    driven = model.simulate(input="bench.csv", columns={"time": "Zeit", "frame_b.r_0[1]": 3}, units=["s", "mm"], decimal=",")
    saved: mechanical_fmus.State = model.state
    model.state = saved
    slope: float = model.derivatives("frame_b.f", ["frame_b.r_0"])["frame_b.f[1]", "frame_b.r_0[1]"]
    unit: str | None = run.units["frame_b.f[1]"]
    print(run.to_pandas(), driven.units, slope, unit, model.time, model.get("TS"))

system: mechanical_fmus.LinearSystem = mechanical_fmus.linearize(
    "Front.fmu", differences=True, response="front.csv", plot="front.svg", points=200, write={"from": 0.1, "to": 100.0}
)
table: mechanical_fmus.Table = mechanical_fmus.sweep("plan.toml")
found: mechanical_fmus.Fit = mechanical_fmus.fit("fit.toml", output="found.toml")
print(system.A, [mode.frequency for mode in system.modes], table.to_pandas(), found["J"])
