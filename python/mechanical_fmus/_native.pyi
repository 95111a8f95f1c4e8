from pathlib import Path

_What = tuple[str | None, Path | None, str | None, list[str]]

__all__ = [
    "SettingsError",
    "__version__",
    "in_keywords",
    "run",
    "serve",
    "components",
    "parts",
    "build",
    "info",
]

__version__: str

class SettingsError(ValueError):
    """Errors of the settings, a line each: place, name, value, and what would be right."""

def run(arguments: list[str], folder: Path, again: list[str]) -> int: ...
def serve(scratch: Path) -> None: ...
def in_keywords(message: str) -> str: ...
def components(folder: Path) -> str: ...
def parts(folder: Path) -> str: ...
def build(
    folder: Path, whats: list[_What], out: Path, target: list[str], strict: bool, modelica: bool
) -> list[tuple[Path, list[str], list[str]]]: ...
def info(folder: Path, what: _What) -> str: ...
