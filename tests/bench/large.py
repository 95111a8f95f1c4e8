"""Times builds of large systems and tables: python tests/bench/large.py [COMMAND...], by default target/debug/xtask build.

Prints the processor time and the peak of memory of each build, and the time as a multiple of that of half the size: n log n
gives 2.2 at most. A build before them compiles the library. COMMAND may be `mechanical-fmus build`. The machine should be
idle.
"""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

INERTIAS, ROWS = 5000, 100_000
COMMAND = sys.argv[1:] or [str(Path(__file__).resolve().parents[2] / "target/debug/xtask"), "build"]


def row(count: int, first: str, other: str) -> str:
    """Returns a system of parts in a row, of which each but the first one names the one before."""
    return 'name = "Row"\n' + first + "".join(other.format(i=i, before=i - 1) for i in range(1, count))


def inertias(inertia: str, between: str) -> dict[str, str]:
    """Returns what a row of inertias consists of, with a part between each two."""
    one = f'type = "Inertia"\nJ = {inertia}\n'
    ends = 'flange_a = "p{before}.flange_b"\nflange_b = "p{i}.flange_a"\n'
    return {"first": f"[parts.p0]\n{one}", "other": f"[parts.p{{i}}]\n{one}[parts.s{{i}}]\n{between}\n{ends}"}


SIGNALS = {"first": '[parts.p0]\ntype = "Sine"\n', "other": '[parts.p{i}]\ntype = "Gain"\nu = "p{before}.y"\n'}
HEAT_CAPACITIES = {
    "first": '[parts.p0]\ntype = "HeatCapacitor"\n',
    "other": '[parts.p{i}]\ntype = "HeatCapacitor"\n'
    '[parts.g{i}]\ntype = "ThermalConductor"\nport_a = "p{before}.port"\nport_b = "p{i}.port"\n',
}


def table(folder: Path, rows: int, digits: int, columns: int) -> str:
    """Writes a file of random numbers, and returns a system with a table of it."""
    numbers = random.Random(1)
    names = ["t"] + [f"y{k}" for k in range(1, columns)]
    with (folder / "table.csv").open("w") as file:
        print(",".join(names), file=file)
        for i in range(rows):
            cells = [f"{numbers.uniform(-100, 100):.{digits}g}" for _ in names[1:]]
            print(f"{i / 100}", *cells, sep=",", file=file)
    read = f'{{ file = "table.csv", columns = {names} }}'.replace("'", '"')
    return f'name = "Table"\n[parts.cycle]\ntype = "CombiTimeTable"\nnout = {columns - 1}\ntable = {read}\n'


def build(folder: Path, text: str, standard: str) -> tuple[float, float]:
    """Builds an FMU, and returns seconds of the processor and MB."""
    (folder / "large.toml").write_text(text)
    arguments = ["--quiet", "--fmi", standard, "--config", str(folder / "large.toml"), "--out", str(folder / "out")]
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr
    said = process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(said)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def compare(folder: Path, name: str, standard: str, size: int, system: Callable[[int], str]) -> None:
    """Builds a system of a size and of half of it, and prints both."""
    half, _ = build(folder, system(size // 2), standard)
    seconds, peak = build(folder, system(size), standard)
    print(f"{name}, FMI {standard}: {seconds:.2f} s, {peak:.0f} MB, {seconds / half:.2f} times half the size")


with tempfile.TemporaryDirectory() as path:
    folder = Path(path)
    build(folder, '[parts.p]\ntype = "Inertia"\n', "2,3")
    for inertia, stiffness in [("1", "1"), ("0.1", "1e4"), ("0.0123456789", "12345.678901234"), ("1e-6", "1e-3")]:
        for standard in ["2", "3"]:
            of_size = partial(row, **inertias(inertia, f'type = "Spring"\nc = {stiffness}'))
            compare(folder, f"chain, J = {inertia}, c = {stiffness}", standard, INERTIAS, of_size)
    dampers = inertias("1", 'type = "SpringDamper"\nc = 1e4\nd = 1')
    for count, name, parts in [
        (INERTIAS, "inertias with springs and dampers", dampers),
        (2000, "signals", SIGNALS),
        (500, "heat capacities", HEAT_CAPACITIES),
    ]:
        compare(folder, f"{count} {name}", "2", count, partial(row, **parts))
    # In FMI 2.0 each number is a variable, so that there is room for two columns.
    for columns, standard in [(2, "2"), (2, "3"), (4, "3")]:
        for digits in [3, 17]:
            of_size = partial(table, folder, digits=digits, columns=columns)
            compare(folder, f"table, {columns} columns, {digits} digits", standard, ROWS, of_size)
