"""Whether two tables of a sweep agree: `python compare_sweeps.py OURS.parquet DASK.csv`.

The other has no columns of parameters. Both have the same operations, but their sums are in another order.
"""

import csv
import sys
from pathlib import Path

import pyarrow.parquet

TOLERANCE = 1e-12  # relative to the largest magnitude in the column

ours, other = Path(sys.argv[1]), Path(sys.argv[2])
table = pyarrow.parquet.read_table(ours).to_pydict()
rows = list(csv.DictReader(other.open(newline="")))
problems = [] if len(rows) == len(table["run"]) and rows else [f"{len(table['run'])} and {len(rows)} runs"]
results = [name for name in rows[0] if name not in ("run", "status")]
worst = 0.0
for name in results:
    size = max(abs(value) for value in table[name] if value is not None)
    for run, (mine, row) in enumerate(zip(table[name], rows), 1):
        deviation = abs(mine - float(row[name])) / (size or 1)
        worst = max(worst, deviation)
        if not deviation <= TOLERANCE:
            problems.append(f"run {run}, {name}: {mine!r} and {row[name]}")
for run, row in enumerate(rows, 1):
    if int(row["run"]) != run or table["run"][run - 1] != run or not row["status"] == table["status"][run - 1] == "ok":
        problems.append(f"run {run} is {row['run']}, {row['status']!r} and {table['status'][run - 1]!r}")
print(*problems[:20], f"{ours.name}: {len(rows)} runs of {len(results)} results, which differ by {worst:.1e}", sep="\n")
sys.exit(bool(problems))
