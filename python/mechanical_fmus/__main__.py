"""The command `mechanical-fmus`."""

import sys
from pathlib import Path

from . import _native


def main() -> int:
    """Carries out the command line; returns the exit status."""
    return _native.run(sys.argv[1:], Path(__file__).parent, sys.executable)


if __name__ == "__main__":
    sys.exit(main())
