"""What goes wrong when FMUs run."""


class SimulationError(RuntimeError):
    """A simulation that cannot be made, or has failed; the message says why."""


class FmuEndedError(SimulationError):
    """The code of an FMU has ended its process, or a call into it has not returned."""


class ModelClosedError(SimulationError):
    """A model is used that was closed."""


class SimulationWarning(UserWarning):
    """What an FMU warns of, and what one should know of a simulation."""
