"""Times builds of large systems and tables: python tests/bench/large.py [COMMAND...], by default target/debug/xtask build.

Prints the processor time and the peak of memory of each build; a build before them compiles the library. COMMAND may be
`mechanical-fmus build`. The machine should be idle.
"""

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

INERTIAS, ROWS = 5000, 100_000
COMMAND = sys.argv[1:] or [str(Path(__file__).resolve().parents[2] / "target/debug/xtask"), "build"]


def chain(inertia: str, stiffness: str) -> str:
    """Returns inertias in a line with springs between them."""
    parts = []
    for i in range(INERTIAS):
        parts.append(f'[parts.p{i}]\ntype = "Inertia"\nJ = {inertia}\n')
        if i:
            ends = f'flange_a = "p{i - 1}.flange_b"\nflange_b = "p{i}.flange_a"\n'
            parts.append(f'[parts.s{i}]\ntype = "Spring"\nc = {stiffness}\n{ends}')
    return 'name = "Chain"\n' + "".join(parts)


def table(folder: Path, digits: int, columns: int) -> str:
    """Writes a file of random numbers, and returns a system with a table of it."""
    numbers = random.Random(1)
    names = ["t"] + [f"y{k}" for k in range(1, columns)]
    with (folder / "table.csv").open("w") as file:
        print(",".join(names), file=file)
        for i in range(ROWS):
            cells = [f"{numbers.uniform(-100, 100):.{digits}g}" for _ in names[1:]]
            print(f"{i / 100}", *cells, sep=",", file=file)
    rows = f'{{ file = "table.csv", columns = {names} }}'.replace("'", '"')
    return f'name = "Table"\n[parts.cycle]\ntype = "CombiTimeTable"\nnout = {columns - 1}\ntable = {rows}\n'


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


with tempfile.TemporaryDirectory() as path:
    folder = Path(path)
    build(folder, '[parts.p]\ntype = "Inertia"\n', "2,3")
    for inertia, stiffness in [("1", "1"), ("0.1", "1e4"), ("0.0123456789", "12345.678901234"), ("1e-6", "1e-3")]:
        for standard in ["2", "3"]:
            seconds, peak = build(folder, chain(inertia, stiffness), standard)
            print(f"chain, J = {inertia}, c = {stiffness}, FMI {standard}: {seconds:.2f} s, {peak:.0f} MB")
    # In FMI 2.0 each number is a variable, so that there is room for two columns.
    for columns, standard in [(2, "2"), (2, "3"), (4, "3")]:
        for digits in [3, 17]:
            seconds, peak = build(folder, table(folder, digits, columns), standard)
            print(f"table, {columns} columns, {digits} digits, FMI {standard}: {seconds:.2f} s, {peak:.0f} MB")
