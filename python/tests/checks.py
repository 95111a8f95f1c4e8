"""What the scripts share: messages of errors, and Ctrl-C during a call."""
import os
import signal
import threading
import time
import mechanical_fmus as m


def fails(message, call, *arguments, kind=m.SimulationError, **settings):
    try:
        call(*arguments, **settings)
    except kind as error:
        assert str(error) == message, error
    else:
        raise AssertionError(message)


def interrupted(call, *, after, delay):
    """The parts that a call tells until Ctrl-C ends it, within half a second: `delay` [s] after it has told so many parts."""
    parts, begin = [], []

    def press():
        begin.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    def told(part):
        parts.append(part)
        if len(parts) == after:
            threading.Timer(delay, press).start()

    if after == 0:
        threading.Timer(delay, press).start()
    try:
        call(told)
    except KeyboardInterrupt:
        assert time.monotonic() - begin[0] < 0.5, time.monotonic() - begin[0]
    else:
        raise AssertionError("not interrupted")
    assert parts == sorted(parts), parts
    return parts
