"""Arrays of NumPy as settings and inputs, right and wrong ones: run where the package and NumPy are installed."""
import numpy as np
import mechanical_fmus as m
for kind in ["f8", "f4", ">f8", "i4", "u2", object]:
    c = np.array([3, 2, 1], dtype=kind)
    values = {variable.name: variable.value for variable in m.info("bushing", TS=c)}
    assert values["TS"] == [3, 2, 1], (kind, values["TS"])
file = m.build("bushing", TS=np.array([2e6, 2e6, 2e6]), name="Arrays", out="arrays")
time = np.linspace(0, 1, 11)
r = np.zeros((11, 3))
r[:, 0] = 1e-3 * time
def force(time, r, **settings):
    return m.simulate(file, settings, input={"time": time, "frame_b.r_0": r})["frame_b.f[1]"][-1]
assert abs(force(time, r)) == 2000
assert abs(force(time, r, TS=np.array([4e6, 1e6, 1e6]))) == 4000
doubled = np.repeat(r, 2, axis=0)
for same in [np.asfortranarray(r), doubled[::2], r[::-1][::-1], r.astype(">f8"), r.astype(object), r.tolist()]:
    assert abs(force(time, same)) == 2000, same
table = np.rec.fromarrays([time, r[:, 0]], names="Time, frame_b.r_0[1]")
assert abs(m.simulate(file, input=table)["frame_b.f[1]"][-1]) == 2000
def fails(message, signals, kind=m.SimulationError, **settings):
    try:
        m.simulate(file, settings, input=signals)
    except kind as error:
        assert str(error) == message, error
    else:
        raise AssertionError(message)
def x(values):
    return {"time": time, "frame_b.r_0[1]": values}
one = "the input frame_b.r_0[1] has one value for all times: a value for each time is needed, or a setting"
for values in [1e-3, np.array(1e-3), None, "a"]:
    fails(one, x(values))
none = "the input frame_b.r_0[1] has no value at some time, but None or a masked one"
fails(none, x(np.ma.masked_greater(time, 0.5)))
fails(none, x([None] * 11))
index = "the input cannot be used: at index"
fails(f"{index} 6, column `frame_b.r_0[1]`: `nan` is not a finite number", x(np.where(time > 0.55, np.nan, time)))
fails(f"{index} 1: time 0.9 comes after 1; times must not decrease", {"time": time[::-1], "frame_b.r_0": r})
fails('the input has no "time": the times of the values [s] are needed, too', {"frame_b.r_0": r})
fails('the input has no "time": the times of the values [s] are needed, too', {})
fails("an input is a file, a dict or a frame, not of the type ndarray", r, kind=TypeError)
fails("an input is a file, a dict or a frame, not of the type bytes", b"input.csv", kind=TypeError)
dates = np.array(["2026-01-01", "2026-01-02"], dtype="datetime64[ns]")
for name, values in [("time", dates), ("time", dates - dates[0]), ("frame_b.r_0[1]", dates)]:
    fails(
        f"the input {name} has values of the type {values.dtype}: numbers are needed, as seconds by (dates - dates[0]) / "
        "numpy.timedelta64(1, 's')",
        {"time": [0, 1], "frame_b.r_0[1]": [0, 1], name: values},
    )
