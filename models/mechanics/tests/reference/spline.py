"""Splines by SciPy, for tests/table.rs: `python3 spline.py natural > spline.txt`, `python3 spline.py akima > akima.txt`.

Made with SciPy 1.17.1 and NumPy 2.4.6. Lines: `knot x y` for each point of a table, then
`value x y y' y''` for points in and between them; `table` begins a table.
"""

import sys

import numpy
from scipy.interpolate import Akima1DInterpolator, CubicSpline

generator = numpy.random.default_rng(20260101)


def table(x, y):
    print("table")
    for pair in zip(x, y):
        print("knot", *(repr(float(number)) for number in pair))
    spline = Akima1DInterpolator(x, y) if sys.argv[1] == "akima" else CubicSpline(x, y, bc_type="natural")
    # On the left of a knot and on it, SciPy counts the piece on the right, as we do.
    for at in numpy.sort(numpy.concatenate([x[:-1], generator.uniform(x[0], x[-1], 40)])):
        print("value", *(repr(float(number)) for number in [at, spline(at), spline(at, 1), spline(at, 2)]))


rubber = numpy.linspace(0.0, 8e-3, 17)
table(rubber, 8e5 * (1.0 + (rubber / 4e-3) ** 4))
table(numpy.cumsum(generator.uniform(0.01, 3.0, 60)) - 40.0, generator.uniform(0.0, 5e6, 60))
table(numpy.cumsum(10.0 ** generator.uniform(-4.0, 1.0, 25)), generator.normal(0.0, 1.0, 25))
table(numpy.array([-1.0, 0.5, 4.0]), numpy.array([3.0, -2.0, 7.0]))
