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
    folder = FOLDER / "examples"
    # An installer may have compiled the scripts into a folder beside them.
    files = sorted(file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    if to is None:
        return files
    copies = [Path(to, file.relative_to(folder)) for file in files]
    for copy in copies:
        if copy.exists():
            raise FileExistsError(f"{copy} already exists")
    for copy in copies:
        copy.parent.mkdir(parents=True, exist_ok=True)
    return [Path(shutil.copyfile(file, copy)) for file, copy in zip(files, copies)]
