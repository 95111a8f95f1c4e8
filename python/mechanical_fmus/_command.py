"""The command `mechanical-fmus`."""

import sys
from pathlib import Path

from . import _native

FOLDER = Path(__file__).parent
"""The folder of the package."""

# Runs the command, without the modules of the current folder.
COMMAND = [
    sys.executable,
    "-c",
    f"""
import sys
sys.path[:] = [folder for folder in sys.path if folder] + [{str(FOLDER.parent)!r}]
from {__package__}._command import main
sys.exit(main())
""",
]


def main() -> int:
    """Carries out the command line; returns the exit status."""
    return _native.run(sys.argv[1:], FOLDER, COMMAND)
