"""Makes dynamic_stiffness.csv: `python3 dynamic_stiffness.py`; needs nothing but Python, the same bytes each time.

The data are invented, but look like those of a test bench: dynamic stiffness and loss angle of a rubber bushing over
frequency at five amplitudes, with errors of 2 % of each number, in mm, N and degrees, with decimal commas. They follow from
a walk along a period of the deflection in small steps, not from formulas for the first harmonic.
"""

import cmath
import math
import random

STATIC = 3.0e6
MAXWELL = [(6.0e5, 0.05), (8.0e5, 0.002)]
FRICTION, LIMIT = 1.2e6, 60.0
STEPS = 4000


def friction(amplitude):
    """The first harmonic of friction by the amplitude, in the fifth period and later."""
    reach, z, x, periods = LIMIT / FRICTION, 0.0, 0.0, 5 + int(5 * LIMIT / FRICTION / amplitude)
    harmonic = 0.0
    for step in range(periods * STEPS):
        angle = 2.0 * math.pi * (step + 1) / STEPS
        dx = amplitude * math.sin(angle) - x
        x += dx
        sign = math.copysign(1.0, dx)
        z = sign * reach - (sign * reach - z) * math.exp(-abs(dx) / reach)
        if step >= (periods - 1) * STEPS:
            harmonic += FRICTION * z * complex(math.sin(angle), math.cos(angle)) * 2.0 / STEPS
    return harmonic / amplitude


random.seed(4711)
lines = ["Frequenz [Hz];Amplitude [mm];Kdyn [N/mm];Verlustwinkel [deg]"]
for amplitude in [1e-5, 3e-5, 1e-4, 3e-4, 1e-3]:
    rubs = friction(amplitude)
    for k in range(25):
        frequency = float(f"{0.2 * 1500.0 ** (k / 24):.3g}")
        omega = 2.0 * math.pi * frequency
        stiffness = STATIC + rubs + sum(s * 1j * omega * tau / (1 + 1j * omega * tau) for s, tau in MAXWELL)
        size, angle = abs(stiffness) * random.gauss(1.0, 0.02), cmath.phase(stiffness) * random.gauss(1.0, 0.02)
        cells = [f"{frequency:g}", f"{1e3 * amplitude:g}", f"{1e-3 * size:.1f}", f"{math.degrees(angle):.3f}"]
        lines.append(";".join(cells).replace(".", ","))

with open("dynamic_stiffness.csv", "w", newline="", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
