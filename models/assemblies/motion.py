"""Writes reference/motion.csv of the joint assemblies: frame_b moves away smoothly within half a second, and back.

Position, velocity and acceleration belong together: r = r0 + d (1 - cos(2 pi t)) / 2.
"""

import math
from pathlib import Path

# The place of frame_b by default, and how far it goes, in m.
MOTIONS = {
    "joint-ups": ((1.0, 0.0, 0.0), (0.0, 0.3, 0.4)),
    "joint-usr": ((1.0, 1.0, 0.0), (-0.3, -0.2, 0.0)),
    "joint-usp": ((1.8, 0.6, 0.0), (-0.3, -0.2, 0.2)),
    "joint-ssr": ((-1.0, 1.0, 0.0), (0.3, -0.2, 0.1)),
    "joint-ssp": ((-0.4, 0.0, 0.8), (0.2, 0.2, -0.2)),
    "joint-rrr": ((1.0, 1.0, 0.0), (-0.3, -0.2, 0.0)),
    "joint-rrp": ((1.8, 0.6, 0.0), (-0.3, -0.2, 0.0)),
}

for joint, (r0, d) in MOTIONS.items():
    axes = [i for i in range(3) if d[i] != 0.0]
    columns = ["time"] + [f"frame_b.{name}_0[{i + 1}]" for name in "rva" for i in axes]
    rows = [",".join(columns)]
    for k in range(101):
        t = k / 100
        angle = 2 * math.pi * t
        part = (0.5 * (1 - math.cos(angle)), math.pi * math.sin(angle), 2 * math.pi**2 * math.cos(angle))
        values = [(r0[i] if order == 0 else 0.0) + d[i] * part[order] for order in range(3) for i in axes]
        rows.append(",".join(f"{value + 0.0:.9g}" for value in [t] + values))
    file = Path(__file__).parent.parent / joint / "reference" / "motion.csv"
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(rows) + "\n")
