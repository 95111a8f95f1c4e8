from pathlib import Path
from typing import final

_What = tuple[str | None, Path | None, str | None, list[str]]

class SettingsError(ValueError):
    """Errors of the settings, a line each: place, name, value, and what would be right."""

@final
class Component:
    """A component."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...

@final
class Variable:
    """A structure option or a variable."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str:
        """`structure`, `parameter`, `input` or `output`."""
    @property
    def unit(self) -> str: ...
    @property
    def value(self) -> str:
        """Its value, as in the table of the command `info`."""
    @property
    def admissible(self) -> str:
        """The values that it takes."""
    @property
    def description(self) -> str: ...

def run(arguments: list[str], folder: Path) -> int: ...
def components(folder: Path) -> list[Component]: ...
def build(
    folder: Path, what: _What, out: Path, target: list[str], strict: bool, modelica: bool
) -> tuple[Path, list[str]]: ...
def info(folder: Path, what: _What) -> list[Variable]: ...
