"""The command `mechanical-fmus`."""

import sys
from pathlib import Path

from . import _native

FOLDER = Path(__file__).parent
"""The folder of the package."""


def program(module: str, call: str) -> list[str]:
    """A command that calls a function of a module of this package, without the modules of the current folder."""
    return [
        sys.executable,
        "-c",
        f"""
import sys
sys.path[:] = [folder for folder in sys.path if folder] + [{str(FOLDER.parent)!r}]
from {__package__}.{module} import {call}
sys.exit({call}())
""",
    ]


COMMAND = program("_command", "main")
"""Runs the command."""


def main() -> int:
    """Carries out the command line; returns the exit status."""
    return _native.run(sys.argv[1:], FOLDER, COMMAND)
