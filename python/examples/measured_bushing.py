"""From measured forces to a simulated bushing: python measured_bushing.py measured_forces.csv

The file has force over displacement along each axis, with units in its headings: s_x [mm];F_x [N];…
"""

import sys

import mechanical_fmus
import numpy as np

curves = {"law_TS": "curve", "DCM_TS": "attachment", "TS_data": {"file": sys.argv[1]}}
bushing = mechanical_fmus.build("bushing", curves, name="Measured")
problems = mechanical_fmus.validate(bushing)
assert not problems, problems

# The sleeve at frame_b moves along x: 2 mm, 1 Hz.
time = np.linspace(0.0, 1.0, 1001)
position, velocity = np.zeros((2, time.size, 3))
position[:, 0] = 2e-3 * np.sin(2 * np.pi * time)
velocity[:, 0] = 2e-3 * 2 * np.pi * np.cos(2 * np.pi * time)
motion = {"time": time, "frame_b.r_0": position, "frame_b.v_0": velocity}
run = mechanical_fmus.simulate(bushing, {"TD": [500.0, 500.0, 500.0]}, input=motion, step=1e-3)

force, loss = run["frame_b.f[1]"], run["lossPower"]
loss_per_cycle = float(np.sum((loss[1:] + loss[:-1]) / 2 * np.diff(run["time"])))
print(f"peak force along x: {np.abs(force).max():.0f} N")
print(f"losses of a cycle: {loss_per_cycle:.4f} J")
