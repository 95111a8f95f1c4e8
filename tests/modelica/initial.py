"""Initial conditions of the Bushing in the package MechanicalFMUs, solved by Rumoca.

usage: initial.py PACKAGE FMU

A free body is connected with a frame that moves, through a Bushing with `Enforce`, in several sequences of Euler angles and with
all meanings of the angular velocity. The pose and the velocities that the body then has at the start go into the FMU,
whose sensors say what they are relative to frame_a.
"""

import math
import os
import sys
import tempfile

import fmpy
import rumoca
from check import copied, open_model, without_texts

POSITION, VELOCITY = [0.1, 0.2, 0.3], [1.0, -2.0, 0.5]
ANGLES, RATES = [0.3, 0.2, 0.5], [0.5, 0.6, -0.7]
TEST = """within;
model Test
  Surroundings.MovingFrame a;
  Surroundings.FreeFrame b;
  MechanicalFMUs.{name} part(RotSeq = {sequence}, InitPos = {position}, InitVel = {velocity}, InitAng = {angles},
    InitAngVel = {rates}, AngVelType = MechanicalFMUs.{name}.AngularVelocityType.{kind},
    MechTranTree = MechanicalFMUs.{name}.InitialConditions.Enforce,
    MechRotTree = MechanicalFMUs.{name}.InitialConditions.Enforce);
equation
  connect(a.port, part.frame_a);
  connect(part.frame_b, b.port);
end Test;
"""


def braces(values):
    return "{" + ", ".join(repr(value) for value in values) + "}"


def at_start(folder, package, model):
    """The values at the start, by name."""
    path = os.path.join(folder, "Test.mo")
    with open(path, "w", encoding="utf-8") as output:
        output.write(model)
    result = rumoca.Session([package]).load(path, model="Test").simulate(1e-3)
    return {name: float(result[name][0]) for name in result.names}


def sensors(archive, sequence, values):
    """r, v, the Euler angles and the angular velocity resolved in frame_a, from the FMU."""
    starts = {f"RotSeq[{i}]": axis for i, axis in enumerate(sequence, 1)}
    for frame in ("frame_a", "frame_b"):
        for i in (1, 2, 3):
            starts[f"{frame}.r_0[{i}]"] = values[f"part.{frame}.r_0[{i}]"]
            starts[f"{frame}.v_0[{i}]"] = values[f"part.{frame}_v_0[{i}]"]
            starts[f"{frame}.R.w[{i}]"] = values[f"part.{frame}.R.w[{i}]"]
            for j in (1, 2, 3):
                starts[f"{frame}.R.T[{i},{j}]"] = values[f"part.{frame}.R.T[{i},{j}]"]
    names = [f"{sensor}[{i}]" for sensor in ("r_out", "v_out", "th_out", "w_out") for i in (1, 2, 3)]
    result = fmpy.simulate_fmu(archive, start_values=starts, output=names, stop_time=1e-3, output_interval=1e-3)
    found = [float(result[name][0]) for name in names]
    return [found[k:k + 3] for k in range(0, 12, 3)]


def turned(angle, axis, vector):
    """A vector in a frame that is turned about one of the axes."""
    (i, j), rotated = ((axis % 3, (axis + 1) % 3)), list(vector)
    cosine, sine = math.cos(angle), math.sin(angle)
    rotated[i] = cosine * vector[i] + sine * vector[j]
    rotated[j] = -sine * vector[i] + cosine * vector[j]
    return rotated


def angular_velocity(sequence, kind):
    """The angular velocity in frame_a: turn by turn, each about an axis of the frame before it."""
    if kind == "Inboard":
        return RATES
    total = RATES
    if kind == "Euler":
        total = [0.0, 0.0, 0.0]
        for axis, angle, rate in zip(sequence, ANGLES, RATES):
            total = turned(angle, axis, total)
            total[axis - 1] += rate
    for axis, angle in reversed(list(zip(sequence, ANGLES))):
        total = turned(-angle, axis, total)
    return total


def main(package, archive):
    name = os.path.splitext(os.path.basename(archive))[0]
    model, wrong = "".join(open_model(package, name)), 0
    for sequence, kind in (([1, 2, 3], "Euler"), ([3, 1, 2], "Inboard"), ([3, 1, 3], "Outboard"), ([2, 3, 1], "Euler")):
        with tempfile.TemporaryDirectory() as folder:
            package_copy = copied(package, folder)
            with open(os.path.join(package_copy, f"{name}.mo"), "w", encoding="utf-8") as output:
                output.write(without_texts(model))
            values = at_start(folder, package_copy, TEST.format(
                name=name, sequence=braces(sequence), position=braces(POSITION), velocity=braces(VELOCITY),
                angles=braces(ANGLES), rates=braces(RATES), kind=kind))
        found = sensors(archive, sequence, values)
        expected = [POSITION, VELOCITY, ANGLES, angular_velocity(sequence, kind)]
        largest = max(abs(x - y) for a, b in zip(found, expected) for x, y in zip(a, b))
        wrong += not largest <= 1e-5
        print(f"{name}, {sequence}, {kind}: {found}, wrong by {largest:.1e}")
    print(f"{wrong} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
