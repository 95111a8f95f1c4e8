"""Compiles and simulates a Gripper of the package MechanicalFMUs with Rumoca, switched on and off.

usage: gripper.py PACKAGE MODEL INPUT ON OFF

MODEL is its model, INPUT what switches it, by the values ON and OFF.

The law of Internal.mo in this folder takes the place of the FMU's; its results are its arguments. So the loads show the state in
which it is called, the beginning of the ramp, and the pose that was captured. Only until the first event: Rumoca 0.10 finds
none where time reaches a discrete variable, and takes pre() of a vector for its new value.
"""

import os
import sys
import tempfile

import rumoca
from check import copied, open_model, without_texts

END = 0.2
TEST = """within;
model Test
  Surroundings.MovingFrame a;
  Surroundings.MovingFrame b;
  MechanicalFMUs.{model} part(T = 0.1);
equation
  connect(a.port, part.frame_a);
  connect(b.port, part.frame_b);
  part.{signal} = {value};
end Test;
"""
POSITION = 0.1 + 0.2 * END


def check(package, name, signal, value, state):
    with tempfile.TemporaryDirectory() as folder:
        package = copied(package, folder)
        model = "".join(open_model(package, name))
        path = os.path.join(folder, "Test.mo")
        for file, text in ((os.path.join(package, f"{name}.mo"), without_texts(model)),
                           (path, TEST.format(model=name, signal=signal, value=value))):
            with open(file, "w", encoding="utf-8") as output:
                output.write(text)
        result = rumoca.Session([package]).load(path, model="Test").simulate(END)
    expected = {
        "part.state": state, "part.frame_a.f[1]": state, "part.frame_a.f[2]": 0.0, "part.onoff": END,
        # The first coordinate was captured at the start, and the second velocity of frame_b, which was 0.
        "part.frame_a.f[3]": 0.1, "part.frame_a.t[1]": 0.0, "part.lossPower": 2 * POSITION,
        # What would be captured now.
        "part.now[15]": 0.1, "part.law[15]": POSITION, "part.law[18]": 0.6 * END,
    }
    found = {name: float(result[name][-1]) for name in expected}
    wrong = [f"{name} is {found[name]}, not {value}" for name, value in expected.items()
             if not abs(found[name] - value) <= 1e-6]
    print(f"{name}, {signal} = {value}: {len(expected)} values, {len(wrong)} wrong", *wrong, sep="\n  ")
    return bool(wrong)


def main(package, model, signal, *values):
    wrong = [check(package, model, signal, value, state) for value, state in zip(values, (1, 3), strict=True)]
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
