"""Makes the workbooks of the tests, with openpyxl 3.1.5 and xlwt 1.3.0: `python3 make.py`."""

import datetime

import openpyxl
import xlwt

HEADING = ["s in m", "kx in N/m", "ky", "kz"]
ROWS = [[-0.002, 5.5e6, 4.75e6, 912345.6789], [0.0, 4.5e6, 4.5e6, 8e5], [1e-3, 0.123456789, 1 / 3, 1e-12]]
DAY = datetime.date(2026, 1, 2)

SHEETS = {
    "good": [HEADING, *ROWS],
    "text": [[0.0, 1.0, 2.0, 3.0], [1.0, 1.0, "stiff", 3.0]],
    "date": [[0.0, 1.0, 2.0, DAY]],
    "truth": [[True, 1.0, 2.0, 3.0]],
    "gap": [[0.0, 1.0, 2.0, 3.0], [], [1.0, None, 2.0, 3.0]],
    "narrow": [[0.0, 1.0, 2.0]],
    "wide": [[0.0, 1.0, 2.0, 3.0], [1.0, 1.0, 2.0, 3.0, 4.0]],
    "heading": [HEADING],
    "empty": [],
}


def write(name, sheets):
    new = openpyxl.Workbook()
    new.remove(new.active)
    old = xlwt.Workbook()
    day = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    for title, rows in sheets.items():
        above, below = new.create_sheet(title), old.add_sheet(title)
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                if value is not None:
                    above.cell(i + 1, j + 1, value)
                    below.write(i, j, value, *([day] if value is DAY else []))
    new.properties.created = new.properties.modified = datetime.datetime(2026, 1, 1)
    new.save(name + ".xlsx")
    old.save(name + ".xls")


write("single", {"empty": [], "good": SHEETS["good"]})
write("several", SHEETS)
