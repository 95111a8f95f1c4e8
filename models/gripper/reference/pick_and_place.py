#!/usr/bin/env python3
"""Writes pick_and_place.csv: a robot's hand takes a part from one table, turns it and puts it on another.

The hand moves by closed formulas. The part is a rigid body under its weight, the tables' contact and
the gripper; its motion is integrated here. README.md tells what happens when. Needs nothing but
Python's standard library.
"""

import argparse
import math
from pathlib import Path

DURATION = 4.5  # s
STEP = 2e-5  # s, of the integration

MASS = 2.0  # kg
INERTIA = 0.01  # kg.m2, about z
GRAVITY = 9.81  # m/s2

# The gripper with useMoment and useInPlace; all else are its defaults.
RAMP = 0.1  # s
C_T, D_T = 1e6, 1e3  # N/m, N.s/m
C_R, D_R = 1e4, 1e2  # N.m/rad, N.m.s/rad
GRIP, RELEASE = 0.9, 3.4  # s, when active changes

# The tables, at the heights -0.03 m and 0.05 m, touch the part 0.03 m below its centre.
TABLE_C, TABLE_D = 2e5, 4e2  # N/m, N.s/m
FRICTION, SLIP, RADIUS = 0.4, 1e-3, 0.03  # 1, m/s, m
TABLES = ((0.3, 0.0), (math.inf, 0.08))  # up to this x the part's centre lies at this height on it, m

# The part as it lies at the start, seen from where the hand will close.
OFFSET, MISALIGNED = (2e-3, -1.5e-3), math.radians(3.0)

# Begin and end in s, way along x, y, z in m, turn about z in rad.
MOVES = (
    (0.1, 0.8, (0.0, 0.0, -0.15), 0.0),
    (1.1, 1.7, (0.0, 0.0, 0.15), 0.0),
    (1.7, 2.6, (0.6, 0.2, 0.0), math.pi / 2),
    (2.6, 3.2, (0.0, 0.0, -0.0701), 0.0),
    (3.7, 4.3, (0.0, 0.0, 0.15), 0.0),
)

DIGITS = {"r_0": 9, "v_0": 7, "T": 9, "w": 6}


def hand(t):
    """Position, velocity, angle about z and its rate: quintics, at rest between the moves."""
    r, v, angle, rate = [0.0, 0.0, 0.15], [0.0, 0.0, 0.0], 0.0, 0.0
    for begin, end, way, turn in MOVES:
        s = min(max((t - begin) / (end - begin), 0.0), 1.0)
        share = s**3 * (10.0 - 15.0 * s + 6.0 * s**2)
        speed = 30.0 * (s * (1.0 - s)) ** 2 / (end - begin)
        for i in range(3):
            r[i] += way[i] * share
            v[i] += way[i] * speed
        angle += turn * share
        rate += turn * speed
    return r, v, angle, rate


def turned(angle, x, y):
    """A vector of the world, seen from a frame turned about z; the minus angle turns it back."""
    c, s = math.cos(angle), math.sin(angle)
    return c * x + s * y, -s * x + c * y


def seen(t, part):
    """Where the part is and how it moves, seen from the hand."""
    r, v, angle, rate = hand(t)
    x, y = turned(angle, part[0] - r[0], part[1] - r[1])
    u, w = turned(angle, part[4] - v[0], part[5] - v[1])
    # The hand turns under the part.
    u, w = u + rate * y, w - rate * x
    return (x, y, part[2] - r[2]), (u, w, part[6] - v[2]), part[3] - angle, part[7] - rate


def onoff(t):
    return min(max((t - GRIP) / RAMP, 0.0), 1.0) - min(max((t - RELEASE) / RAMP, 0.0), 1.0)


class Part:
    """x, y, z, angle about z, and their rates."""

    def __init__(self):
        rest = -MASS * GRAVITY / TABLE_C
        self.state = [*OFFSET, rest, MISALIGNED, 0.0, 0.0, 0.0, 0.0]
        self.grip = None

    def rates(self, t, part):
        x, y, z = 0.0, 0.0, -MASS * GRAVITY
        moment = 0.0
        factor = onoff(t)
        if factor > 0.0:
            r, v, angle, rate = seen(t, part)
            fx, fy, fz = (-factor * (C_T * (r[i] - self.grip[0][i]) + D_T * v[i]) for i in range(3))
            fx, fy = turned(-hand(t)[2], fx, fy)
            x, y, z = x + fx, y + fy, z + fz
            moment -= factor * (C_R * (angle - self.grip[1]) + D_R * rate)
        height = next(height for end, height in TABLES if part[0] < end)
        if part[2] < height:
            normal = max(-TABLE_C * (part[2] - height) - TABLE_D * part[6], 0.0)
            z += normal
            speed = math.hypot(part[4], part[5])
            x -= FRICTION * normal * part[4] / (speed + SLIP)
            y -= FRICTION * normal * part[5] / (speed + SLIP)
            moment -= FRICTION * normal * RADIUS * part[7] / (abs(part[7]) + SLIP / RADIUS)
        return [*part[4:], x / MASS, y / MASS, z / MASS, moment / INERTIA]

    def advance(self, t, h):
        """One step of the classical Runge-Kutta method."""
        if self.grip is None and onoff(t + h / 2) > 0.0:
            r, _, angle, _ = seen(t, self.state)
            self.grip = (r, angle)
        one = self.rates(t, self.state)
        two = self.rates(t + h / 2, [s + h / 2 * k for s, k in zip(self.state, one)])
        three = self.rates(t + h / 2, [s + h / 2 * k for s, k in zip(self.state, two)])
        four = self.rates(t + h, [s + h * k for s, k in zip(self.state, three)])
        self.state = [
            s + h / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(self.state, one, two, three, four)
        ]


def header():
    names = ["time", "active"]
    for frame in ("frame_a", "frame_b"):
        names += [f"{frame}.r_0[{i}]" for i in (1, 2, 3)]
        names += [f"{frame}.v_0[{i}]" for i in (1, 2, 3)]
        # The quotes keep the comma inside the name.
        names += [f'"{frame}.R.T[{i},{j}]"' for i in (1, 2) for j in (1, 2)]
        names += [f"{frame}.R.w[3]"]
    return names


def printed(value, digits):
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def frame(r, v, angle, rate):
    c, s = math.cos(angle), math.sin(angle)
    groups = (("r_0", r), ("v_0", v), ("T", (c, s, -s, c)), ("w", (rate,)))
    return [printed(value, DIGITS[name]) for name, values in groups for value in values]


def main():
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rate", type=int, default=500, help="rows per second (default: 500)")
    parser.add_argument("--output", type=Path, default=here / "pick_and_place.csv", help="file to write")
    options = parser.parse_args()
    part = Part()
    substeps = max(round(1.0 / (options.rate * STEP)), 1)
    with options.output.open("w", encoding="ascii", newline="\n") as file:
        file.write(",".join(header()) + "\n")
        for count in range(round(DURATION * options.rate) + 1):
            t = count / options.rate
            state = part.state
            active = "true" if GRIP <= t < RELEASE else "false"
            cells = frame(*hand(t)) + frame(state[:3], state[4:7], state[3], state[7])
            file.write(",".join([f"{t:.6g}", active] + cells) + "\n")
            h = 1.0 / options.rate / substeps
            for step in range(substeps):
                part.advance(t + step * h, h)


if __name__ == "__main__":
    main()
