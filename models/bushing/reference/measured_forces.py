"""Makes measured_forces.xlsx and measured_forces.csv: `python3 measured_forces.py`.

Made with openpyxl 3.1.5; the same bytes each time. The data are invented, but look like those of a test bench: force
over displacement along three axes, each with its own grid, in mm and N. The curve along y is measured on both sides.
"""

import csv
import datetime
import io
import re
import zipfile

import openpyxl
from openpyxl.styles import Font

X = [(0, 0), (0.5, 2318.4), (1, 4702.9), (1.5, 7244.1), (2, 10063.7), (2.5, 13480.3), (3, 18121.6), (3.5, 25370.9), (4, 37854.2)]
Y = [(-4, -31260.5), (-3, -16890.2), (-2, -9655.8), (-1, -4511.6), (0, 0), (1, 4498.1), (2, 9287.4), (4, 21115)]
Z = [(0.5, 412.3), (1, 823.9), (2, 1652.7), (4, 3345), (6, 5208.8), (8, 7530.6), (10, 10944.2)]

rows = []
for at in range(len(X)):
    pairs = [curve[at] if at < len(curve) else (None, None) for curve in (X, Y, Z)]
    rows.append([cell for pair in pairs for cell in pair])

# As a spreadsheet program in German exports it.
with open("measured_forces.csv", "w", newline="", encoding="utf-8") as file:
    writer = csv.writer(file, delimiter=";", lineterminator="\n")
    writer.writerow(["s_x [mm]", "F_x [N]", "s_y [mm]", "F_y [N]", "s_z [mm]", "F_z [N]"])
    writer.writerows([["" if cell is None else f"{cell:.12g}".replace(".", ",") for cell in row] for row in rows])

DATE = datetime.datetime(2026, 1, 1)
workbook = openpyxl.Workbook()
cover = workbook.active
cover.title = "Deckblatt"
for row in [["Prüfbericht 4711"], ["Bauteil", "Lager hinten, Querlenker vorn"], ["Datum", DATE], ["Temperatur", 23, "°C"]]:
    cover.append(row)
sheet = workbook.create_sheet("Kraft-Weg")
sheet.append(["Statische Kennlinien, 3. Zyklus, 10 mm/min"])
sheet.append([])
sheet.append(["Weg x", "Kraft x", "Weg y", "Kraft y", "Weg z", "Kraft z"])
sheet.append(["mm", "N"] * 3)
for row in rows:
    sheet.append(row)
for cell in [cover["A1"], sheet["A1"], *sheet[3]]:
    cell.font = Font(bold=True)
for row in sheet.iter_rows(min_row=5):
    for cell in row:
        cell.number_format = "#,##0.0"

# Archives and properties have the time of writing.
saved, stamp = io.BytesIO(), DATE.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
workbook.save(saved)
with zipfile.ZipFile(saved) as source, zipfile.ZipFile("measured_forces.xlsx", "w", zipfile.ZIP_DEFLATED) as target:
    for name in source.namelist():
        content = source.read(name)
        if name == "docProps/core.xml":
            content = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", stamp, content)
        entry = zipfile.ZipInfo(name, DATE.timetuple()[:6])
        entry.compress_type = zipfile.ZIP_DEFLATED
        target.writestr(entry, content)
