"""Makes measured.xlsx and measured.xls, with openpyxl 3.1.5 and xlwt 1.3.0: `python3 measured.py`.

One sheet for each set of coefficients, all with a heading. TS and RD begin at 0, so that they are
looked up by magnitude.
"""

import datetime
import math

import openpyxl
import xlwt

ARGUMENTS = {
    "TS": [0.0, 0.0004, 0.0011, 0.002, 0.0032, 0.005],
    "TD": [-0.5, -0.2, -0.05, 0.0, 0.04, 0.3, 0.6],
    "RS": [-0.2, -0.11, -0.02, 0.05, 0.13, 0.25],
    "RD": [0.0, 0.5, 1.2, 4.0],
}
SCALES = {"TS": 4e6, "TD": 1e4, "RS": 2e3, "RD": 20.0}

new, old = openpyxl.Workbook(), xlwt.Workbook()
new.remove(new.active)
for name, arguments in ARGUMENTS.items():
    rows = [["argument", "first", "second", "third"]]
    for x in arguments:
        share = x / arguments[-1]
        factors = [1.0 + share**2, 1.3 + math.sin(share), 1.5 - 0.4 * share**3]
        rows.append([x, *(float(f"{SCALES[name] * factor:.9g}") for factor in factors)])
    above, below = new.create_sheet(name), old.add_sheet(name)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            above.cell(i + 1, j + 1, value)
            below.write(i, j, value)
new.properties.created = new.properties.modified = datetime.datetime(2026, 1, 1)
new.save("measured.xlsx")
old.save("measured.xls")
