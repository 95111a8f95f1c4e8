"""Makes measured_stiffness.xlsx and measured_stiffness.csv: `python3 measured_stiffness.py`.

Made with openpyxl 3.1.5. The data are invented, but look like those of a test: secant stiffness of a
rubber bushing along three axes at 40 deflections, rounded as a machine prints it and with its
scatter. The rubber between the sleeves closes at about 3 mm across the axis; along the axis, z, it
is free.
"""

import csv
import datetime
import random

import openpyxl
from openpyxl.styles import Font

TITLE = ["Front lower control arm, rear bushing, static, 23 degC"]
HEADING = ["s [m]", "kx [N/m]", "ky [N/m]", "kz [N/m]"]

scatter = random.Random(31)
rows = []
for i in range(40):
    s = i * 1e-4
    stiffness = [2.4e6 * (1.0 + (s / 2.2e-3) ** 3), 3.1e6 * (1.0 + (s / 2.5e-3) ** 3), 6.5e5 * (1.0 + (s / 6e-3) ** 2)]
    rows.append([round(s, 4), *(round(k * (1.0 + scatter.gauss(0.0, 0.003)), -3) for k in stiffness)])

with open("measured_stiffness.csv", "w", newline="", encoding="utf-8") as file:
    csv.writer(file, lineterminator="\n").writerows([TITLE, HEADING, *rows])

workbook = openpyxl.Workbook()
sheet = workbook.active
sheet.title = "Static stiffness"
for row in [TITLE, HEADING, *rows]:
    sheet.append(row)
for cell in [sheet["A1"], *sheet[2]]:
    cell.font = Font(bold=True)
for column in "ABCD":
    sheet.column_dimensions[column].width = 14
workbook.properties.created = workbook.properties.modified = datetime.datetime(2026, 1, 1)
workbook.save("measured_stiffness.xlsx")
