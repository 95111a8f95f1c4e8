"""Prints what FMPy finds in FMUs, a line of JSON each; exits with 3 where there is no FMPy."""

import sys

# Not what lies in the current folder.
sys.path[:] = [folder for folder in sys.path if folder]
import contextlib
import json

try:
    with contextlib.redirect_stdout(sys.stderr):
        import fmpy
        import fmpy.validation
except ModuleNotFoundError as error:
    if error.name != "fmpy":
        raise
    sys.exit(3)

for file in sys.argv[1:]:
    try:
        with contextlib.redirect_stdout(sys.stderr):
            problems = fmpy.validation.validate_fmu(file)
    except Exception as error:
        problems = [f"cannot read it: {error}"]
    problems = [{"severity": "error", "text": str(problem)} for problem in problems]
    print(json.dumps({"file": file, "by": f"FMPy {fmpy.__version__}", "problems": problems}), flush=True)
