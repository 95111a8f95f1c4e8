#!/usr/bin/env python3
"""Writes road_load.csv: ten seconds in the life of a control arm's bushing.

The pose of frame_b is a closed formula of time. Every function below gives a pair, the value and
its exact rate, so that velocities are the derivatives of what stands beside them. README.md tells
what happens when. Needs nothing but Python's standard library.
"""

import argparse
import math
from pathlib import Path
from random import Random

SEED = 20240607
DURATION = 10.0  # s
FADE = 0.5  # s, from rest at the start and to rest at the end
BAND = (0.5, 25.0)  # Hz
LINES = 49  # sinusoids in the band
MM = 1e-3
DEG = math.pi / 180.0

# Digits behind the point. At the default stiffness they resolve 5 mN and 26 uN.m.
DIGITS = {"r_0": 9, "v_0": 7, "T": 8, "w": 6}


class Rated:
    """A quantity with its time derivative; sums and products follow the rules of calculus."""

    def __init__(self, value, rate=0.0):
        self.value, self.rate = value, rate

    def __add__(self, other):
        return Rated(self.value + other.value, self.rate + other.rate)

    def __mul__(self, other):
        if not isinstance(other, Rated):
            return Rated(self.value * other, self.rate * other)
        return Rated(self.value * other.value, self.rate * other.value + self.value * other.rate)

    __rmul__ = __mul__


def ramp(t, start, length):
    """0 before, 1 after, between them a polynomial whose rate and acceleration are continuous."""
    s = min(max((t - start) / length, 0.0), 1.0)
    return Rated(s**3 * (10.0 - 15.0 * s + 6.0 * s**2), 30.0 * (s * (1.0 - s)) ** 2 / length)


def plateau(t, start, stop, rise):
    """0 outside of start and stop, 1 between them but for the ramps."""
    return ramp(t, start, rise) + -1.0 * ramp(t, stop - rise, rise)


def pulse(t, start, length):
    """A single hump of height 1: sin^4."""
    s = (t - start) / length
    if not 0.0 < s < 1.0:
        return Rated(0.0)
    sine, cosine = math.sin(math.pi * s), math.cos(math.pi * s)
    return Rated(sine**4, 4.0 * math.pi / length * sine**3 * cosine)


class Noise:
    """Band-limited noise: sinusoids with random phases, one in each equal part of the band."""

    def __init__(self, random, rms, shape):
        low, high = BAND
        width = (high - low) / LINES
        # No common period: each frequency lies anywhere in its part of the band.
        self.lines = []
        for line in range(LINES):
            frequency = low + (line + random.random()) * width
            self.lines.append((2.0 * math.pi * frequency, 2.0 * math.pi * random.random(), shape(frequency)))
        scale = rms / math.sqrt(sum(amplitude**2 for _, _, amplitude in self.lines) / 2.0)
        self.lines = [(omega, phase, scale * amplitude) for omega, phase, amplitude in self.lines]

    def __call__(self, t):
        value = sum(a * math.sin(omega * t + phase) for omega, phase, a in self.lines)
        rate = sum(a * omega * math.cos(omega * t + phase) for omega, phase, a in self.lines)
        return Rated(value, rate)


def rubber(frequency):
    """Deflection of the bushing: a road whose profile falls with 1/f, and the wheel hop at 12 Hz."""
    return 1.0 / math.hypot(1.0, frequency / 2.0) * (1.0 + 2.0 * math.exp(-(((frequency - 12.0) / 2.5) ** 2)))


def travel(frequency):
    """Swing of the arm: the car body at 1.5 Hz, little of the wheel hop."""
    return 1.0 / math.hypot(1.0, (frequency / 1.5) ** 2) + 0.03 * math.exp(-(((frequency - 12.0) / 2.5) ** 2))


class Cycle:
    """Position and cardan angles of frame_b; frame_a rests at the origin."""

    def __init__(self):
        random = Random(SEED)
        self.x = Noise(random, 0.11 * MM, rubber)
        self.y = Noise(random, 0.09 * MM, rubber)
        self.z = Noise(random, 0.33 * MM, rubber)
        self.tilt_x = Noise(random, 0.30 * DEG, rubber)
        self.tilt_y = Noise(random, 0.25 * DEG, rubber)
        self.swing = Noise(random, 2.1 * DEG, travel)

    def pose(self, t):
        window = plateau(t, 0.0, DURATION, FADE)
        braking = plateau(t, 3.0, 4.5, 0.3)
        cornering = plateau(t, 7.5, 9.0, 0.4)
        # Into the edge of the hole, and the rebound.
        pothole = pulse(t, 6.2, 0.06) + -0.3 * pulse(t, 6.25, 0.12)
        drop = pulse(t, 6.1, 0.3)
        position = (
            window * self.x(t) + -2.0 * MM * pothole + 0.35 * MM * cornering,
            window * self.y(t) + 0.5 * MM * pothole + -0.15 * MM * cornering,
            window * self.z(t) + 0.8 * MM * pothole + 0.6 * MM * braking,
        )
        angles = (
            window * self.tilt_x(t) + 0.2 * DEG * cornering,
            window * self.tilt_y(t) + 0.2 * DEG * braking,
            window * self.swing(t) + 2.5 * DEG * cornering + -2.0 * DEG * drop,
        )
        return position, angles


def rotation(angles):
    """The matrix from the world to a frame turned about x, y' and z'', and its angular velocity."""
    (s1, c1), (s2, c2), (s3, c3) = ((math.sin(angle.value), math.cos(angle.value)) for angle in angles)
    d1, d2, d3 = (angle.rate for angle in angles)
    matrix = (
        (c2 * c3, c1 * s3 + s1 * s2 * c3, s1 * s3 - c1 * s2 * c3),
        (-c2 * s3, c1 * c3 - s1 * s2 * s3, s1 * c3 + c1 * s2 * s3),
        (s2, -s1 * c2, c1 * c2),
    )
    velocity = (d1 * c2 * c3 + d2 * s3, -d1 * c2 * s3 + d2 * c3, d1 * s2 + d3)
    return matrix, velocity


def header():
    axes = (1, 2, 3)
    return (
        ["time"]
        + [f"frame_b.r_0[{i}]" for i in axes]
        + [f"frame_b.v_0[{i}]" for i in axes]
        # The quotes keep the comma inside the name.
        + [f'"frame_b.R.T[{i},{j}]"' for i in axes for j in axes]
        + [f"frame_b.R.w[{i}]" for i in axes]
    )


def printed(value, digits):
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def row(t, cycle):
    position, angles = cycle.pose(t)
    matrix, velocity = rotation(angles)
    groups = (
        ("r_0", [coordinate.value for coordinate in position]),
        ("v_0", [coordinate.rate for coordinate in position]),
        ("T", [element for line in matrix for element in line]),
        ("w", velocity),
    )
    cells = [printed(value, DIGITS[name]) for name, values in groups for value in values]
    return [f"{t:.6g}"] + cells


def main():
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rate", type=int, default=1000, help="rows per second (default: 1000)")
    parser.add_argument("--output", type=Path, default=here / "road_load.csv", help="file to write")
    options = parser.parse_args()
    cycle = Cycle()
    rows = round(DURATION * options.rate)
    with options.output.open("w", encoding="ascii", newline="\n") as file:
        file.write(",".join(header()) + "\n")
        for count in range(rows + 1):
            file.write(",".join(row(count / options.rate, cycle)) + "\n")


if __name__ == "__main__":
    main()
