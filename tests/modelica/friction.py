"""Simulates Clutch and Brake of the package MechanicalFMUs with Rumoca, beside a solution in closed form.

usage: friction.py PACKAGE

The law of Internal.mo in this folder takes the place of the FMU's: friction of 5 N.m, 6 N.m while stuck, at times none. The
clutch connects inertias of 1 and 2 kg.m2, the brake holds one of 1 kg.m2; a torque 9 sin(2 t) acts on the first.
"""

import math
import os
import sys
import tempfile

import rumoca
from check import copied, open_model, without_texts

END, STEP = 12.0, 1e-3
SLIDING, STUCK = 5.0, 6.0
FREE = (5.3, 6.1)

CLUTCH = """
  Surroundings.Inertia b(J = 2);
  MechanicalFMUs.Clutch part;
equation
  connect(a.flange_b, part.flange_a);
  connect(part.flange_b, b.flange_a);"""
BRAKE = """
  MechanicalFMUs.Brake part;
equation
  connect(a.flange_b, part.flange_a);"""
TEST = """within;
model Test
  Surroundings.Inertia a(J = 1, w(start = 2));
  Surroundings.Torque drive;{rest}
  connect(drive.port, a.flange_a);
  drive.tau = 9*sin(2*time);
  part.f_normalized = if time > 5.3 and time < 6.1 then 0 else 1;
end Test;
"""


def closed_form(sign, factor):
    """w_rel and mode at all times; a_rel is `9 sign sin(2 t) - factor tau`."""
    w, mode, rows = sign * 2.0, int(sign), []
    for i in range(round(END / STEP) + 1):
        t = i * STEP
        rows.append((t, w, mode))
        # Each event at the end of its step, which is short.
        free = FREE[0] < t + STEP / 2 < FREE[1]
        impulse = sign * 4.5 * (math.cos(2 * t) - math.cos(2 * (t + STEP)))
        held = sign * 9 * math.sin(2 * (t + STEP)) / factor
        if free:
            w, mode = w + impulse, 2
            continue
        if mode == 0 and abs(held) > STUCK:
            mode = 1 if held > 0 else -1
        elif mode == 2:
            mode = 1 if w > 0 else -1
        if mode:
            moved = w + impulse - factor * mode * SLIDING * STEP
            w, mode = (0.0, 0) if moved * mode < 0 else (moved, mode)
    return rows


def check(package, name, body, sign, factor):
    with tempfile.TemporaryDirectory() as folder:
        package = copied(package, folder)
        model = "".join(open_model(package, name))
        path = os.path.join(folder, "Test.mo")
        for file, text in ((os.path.join(package, f"{name}.mo"), without_texts(model)),
                           (path, TEST.format(rest=body))):
            with open(file, "w", encoding="utf-8") as output:
                output.write(text)
        result = rumoca.Session([package]).load(path, model="Test").simulate(END)
    rows = closed_form(sign, factor)
    wrong, largest, modes = 0, 0.0, set()
    for i, t in enumerate(result["time"]):
        at = min(round(t / STEP), len(rows) - 1)
        _, w, mode = rows[at]
        largest = max(largest, abs(result["part.w_rel"][i] - w - (t - rows[at][0]) * result["part.a_rel"][i]))
        # Beside an event the modes may differ.
        around = {row[2] for row in rows[max(at - 20, 0):at + 20]}
        modes.add(mode)
        if result["part.mode"][i] not in around:
            wrong += 1
            print(f"{name}: mode {result['part.mode'][i]} at {t}, not {mode}")
    print(f"{name}: modes {sorted(modes)}, {wrong} wrong, w_rel differs by {largest:.1e}")
    return wrong or largest > 0.02 or modes != {-1, 0, 1, 2}


def main(package):
    clutch = check(package, "Clutch", CLUTCH, -1.0, 1.5)
    brake = check(package, "Brake", BRAKE, 1.0, 1.0)
    return 1 if clutch or brake else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
