"""The command `mechanical-fmus`."""

import sys
from pathlib import Path

from . import _native

_FOLDER = Path(__file__).parent

# Runs the command, without the modules of the current folder.
COMMAND = [
    sys.executable,
    "-c",
    f"""
import sys
sys.path[:] = [folder for folder in sys.path if folder] + [{str(_FOLDER.parent)!r}]
from {__package__}.__main__ import main
sys.exit(main())
""",
]


def main() -> int:
    """Carries out the command line; returns the exit status."""
    return _native.run(sys.argv[1:], _FOLDER, COMMAND)


if __name__ == "__main__":
    sys.exit(main())
