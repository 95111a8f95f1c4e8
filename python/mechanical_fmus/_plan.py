"""Files of plans that Python gives as dicts: of sweeps and fits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Mapping

from ._settings import toml

# What names a file, which is relative to the folder of the plan.
_FILES = ("fmu", "input", "model")


def written(plan: Mapping[str, Any], folder: str, name: str) -> Path:
    """A file with a plan; what is relative in the dict is so to the current folder."""
    lines = [f"{toml(key, key)} = {toml(key, value)}\n" for key, value in _absolute(plan).items() if value is not None]
    file = Path(folder, name)
    file.write_text("".join(lines), encoding="utf-8")
    return file


def in_dict(message: str, folder: str, name: str) -> str:
    """A message about the file, as one about the dict."""
    return message.replace(str(Path(folder, name)), "dict")


def _absolute(plan: Mapping[str, Any], files: tuple[str, ...] = _FILES) -> dict[str, Any]:
    plan = {key: os.path.abspath(value) if key in files and value is not None else value for key, value in plan.items()}
    if "experiments" in plan:
        # The input of an experiment is a variable.
        plan["experiments"] = [_absolute(each, ("data",)) for each in plan["experiments"]]
    return plan
