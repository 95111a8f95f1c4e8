"""The command `mechanical-fmus`, as `python -m mechanical_fmus`."""

import sys

from ._command import main

if __name__ == "__main__":
    sys.exit(main())
