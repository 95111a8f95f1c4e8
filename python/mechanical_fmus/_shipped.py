"""The documentation and the examples in the package."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ._command import FOLDER


def documentation() -> list[Path]:
    """The pages of the documentation, in Markdown: those of the components, and those about the project."""
    return sorted((FOLDER / "docs").glob("**/*.md"))


def examples(to: str | os.PathLike[str] | None = None) -> list[Path]:
    """The files of the examples: configurations of systems with signals of their inputs, scripts, and measured data.

    With `to`, these are copies in this folder, which is made if it does not exist. Raises `FileExistsError`, having copied
    nothing, if it has a file of the same name.
    """
    # An installer may have compiled the scripts into a folder beside them.
    files = sorted(file for file in (FOLDER / "examples").iterdir() if file.is_file())
    if to is None:
        return files
    copies = [Path(to, file.name) for file in files]
    for copy in copies:
        if copy.exists():
            raise FileExistsError(f"{copy} already exists")
    Path(to).mkdir(parents=True, exist_ok=True)
    return [Path(shutil.copyfile(file, copy)) for file, copy in zip(files, copies)]
