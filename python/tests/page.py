"""Runs the examples of a page, given by its path, and compares what they give with what it shows."""
import doctest
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
# What follows a block is not its output.
text = "\n".join("" if line.startswith("```") else line for line in Path(sys.argv[1]).read_text().splitlines())
page = doctest.DocTestParser().get_doctest(text, {}, "page", sys.argv[1], 0)
result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(page)
print(result.attempted)
sys.exit(result.failed > 0)
