"""A process that has an FMU in memory, and carries out one request after another."""

from __future__ import annotations

import json
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import Any, Callable, Iterable, NoReturn

from . import _native
from ._command import program
from ._errors import FmuEndedError, SimulationError

Buffer = bytes | bytearray | memoryview

# Lengths of the header and of the data.
_LENGTHS = struct.Struct("<QQ")

# Size of a pipe where it can be chosen, in bytes: results of this size are written at once.
_PIPE = 1 << 20

# Interval at which a process that does not answer is looked at, in s.
_PAUSE = 0.5

# Time in which a process ends that is no longer needed, in s.
_FAREWELL = 5.0


def serve() -> None:
    """Serves the process that has started this one."""
    # Python's own handler would wait for the end of a run.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _native.serve(Path(sys.argv[1]))


class Worker:
    """The process."""

    def __init__(self, current: str, limit: float) -> None:
        self._limit = limit
        self._folder = tempfile.TemporaryDirectory(prefix="model-", ignore_cleanup_errors=True)
        # The FMU unpacks into a folder that goes with the process, whatever ends that.
        environment = {**os.environ, **dict.fromkeys(["TMPDIR", "TMP", "TEMP"], self._folder.name)}
        # Ctrl-C is for the caller, who ends this process.
        group: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self._process = subprocess.Popen(
            [*program("_worker", "serve"), self._folder.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            cwd=current,
            **group,
        )
        assert self._process.stdin and self._process.stdout
        # What is awaited is read at once.
        self._in, self._out = self._process.stdin, self._process.stdout.raw  # type: ignore[attr-defined]
        if sys.platform == "linux":
            import fcntl

            for pipe in (self._in, self._out):
                try:
                    fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
                except OSError:
                    # A user may have no more pages; the pipe only is slower then.
                    pass
        self._end = weakref.finalize(self, _end, self._process, self._folder, os.getpid())

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def request(
        self, name: str, content: Any, data: Iterable[Buffer] = (), progress: Callable[[float], None] | None = None
    ) -> tuple[Any, bytearray]:
        """Sends a request; returns the reply and its data. Whatever interrupts that ends the process."""
        try:
            try:
                self._send(name, content, list(data))
                while True:
                    kind, reply, received = self._receive()
                    if kind != "progress":
                        break
                    if progress:
                        progress(reply)
            except (BrokenPipeError, ConnectionResetError, EOFError):
                self._ended()
            if kind == "ended":
                raise FmuEndedError(reply)
        except BaseException:
            self.kill()
            raise
        if kind == "error":
            raise SimulationError(_native.in_keywords(reply))
        return reply, received

    def _send(self, name: str, content: Any, data: list[Buffer]) -> None:
        header = json.dumps({name: content} if content is not None else name).encode()
        # All small requests are one write.
        self._in.write(_LENGTHS.pack(len(header), sum(len(part) for part in data)) + header)
        for part in data:
            self._in.write(part)
        self._in.flush()

    def _receive(self) -> tuple[str, Any, bytearray]:
        header, data = _LENGTHS.unpack(self._read(_LENGTHS.size))
        [(kind, reply)] = json.loads(self._read(header)).items()
        return kind, reply, self._read(data)

    def _read(self, length: int) -> bytearray:
        buffer = bytearray(length)
        view = memoryview(buffer)
        while view:
            self._wait()
            read = self._out.readinto(view)
            if not read:
                raise EOFError
            view = view[read:]
        return buffer

    def _wait(self) -> None:
        """Waits for an answer. If the code of the FMU stops its process, no thread of that can tell it."""
        if sys.platform == "win32":
            return
        stopped, pause = 0.0, min(_PAUSE, self._limit)
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        while not poll.poll(1e3 * pause):
            options = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
            stopped = stopped + pause if os.waitid(os.P_PID, self.pid, options) else 0.0
            if stopped > self._limit:
                raise FmuEndedError(
                    f"the FMU stopped the process, and nothing has continued it for {self._limit:g} s"
                )

    def _ended(self) -> NoReturn:
        try:
            status = self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            raise FmuEndedError("the FMU has closed the files of its process") from None
        raise FmuEndedError(f"the FMU terminated the process ({_status(status)})")

    def kill(self) -> None:
        """Ends the process at once."""
        self._process.kill()
        self._end()

    def close(self) -> None:
        """Lets the process end."""
        try:
            self._in.close()
            self._process.wait(_FAREWELL)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.kill()


def _end(process: subprocess.Popen[bytes], folder: tempfile.TemporaryDirectory[str], owner: int) -> None:
    # A process that was forked from the owner has no right to that.
    if os.getpid() != owner:
        return
    process.kill()
    for stream in (process.stdin, process.stdout):
        try:
            if stream:
                stream.close()
        except OSError:
            pass
    process.wait()
    folder.cleanup()


def _status(status: int) -> str:
    """An exit status as the command tells it."""
    if status >= 0:
        return f"exit status: {status}"
    try:
        return f"signal: {-status} ({signal.Signals(-status).name})"
    except ValueError:
        return f"signal: {-status}"
