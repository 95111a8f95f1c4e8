"""The command, run as a program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

from . import _native
from ._command import COMMAND
from ._errors import SimulationError

# Time that an interrupted program has to leave everything as it was, in s.
_FAREWELL = 0.4


@dataclass(frozen=True)
class Ended:
    """A program that has ended."""

    status: int
    stdout: str
    notes: list[str]
    """The lines of the standard error."""

    @property
    def failed(self) -> SimulationError:
        """The error of a program that has failed."""
        message = "\n".join(self.notes).strip().removeprefix("error: ")
        # How the command is used is no help here.
        for behind in ["\n\n  tip: to pass ", "\n\nUsage: ", "\n\nFor more information, "]:
            message = message.split(behind)[0]
        return SimulationError(_native.in_keywords(message) or f"ended with the status {self.status}")


def options(given: Mapping[str, Any]) -> list[str]:
    """Keyword arguments as options: True is an option without value, a list has commas, a dict has an option for each entry."""
    texts = []
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if value is None or value is False:
            continue
        if isinstance(value, Mapping):
            texts += [f"{option}={key}={_text(entry)}" for key, entry in value.items()]
        elif name == "columns" and not isinstance(value, str):
            # Headings may have commas.
            quoted = ['"' + str(heading).replace('"', '""') + '"' for heading in value]
            texts.append(f"{option}={','.join(quoted)}")
        else:
            texts.append(option if value is True else f"{option}={_text(value)}")
    return texts


def _text(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    return ",".join(map(str, value)) if hasattr(value, "__iter__") else str(value)


def run(arguments: Sequence[str], progress: Callable[[float], None] | None = None) -> Ended:
    """Runs the command with these arguments; Ctrl-C ends it."""
    environment = {**os.environ, **({"FMU_IMPORTER_PROGRESS": "1"} if progress else {})}
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, env=environment
        )
        notes = []
        try:
            assert process.stderr
            with process.stderr as lines:
                for line in lines:
                    text = line.decode(errors="replace").rstrip("\r\n")
                    if progress and text.startswith("progress "):
                        progress(float(text.removeprefix("progress ")))
                    else:
                        notes.append(text)
            status = process.wait()
        except BaseException:
            _interrupt(process)
            raise
        output.seek(0)
        return Ended(status, output.read().decode(errors="replace"), notes)


def _interrupt(process: subprocess.Popen[bytes]) -> None:
    try:
        if sys.platform != "win32":
            process.send_signal(signal.SIGINT)
        process.wait(_FAREWELL)
    except (OSError, subprocess.TimeoutExpired):
        process.kill()
        process.wait()
