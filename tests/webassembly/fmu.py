"""FMUs of FMI 3.0 behind one interface: a shared library, or a component of WebAssembly in wasmtime."""

import ctypes
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

FLOAT, INT, BOOL = ctypes.c_double, ctypes.c_int, ctypes.c_bool
TYPES = {"Float64": FLOAT, "Int32": ctypes.c_int32, "Boolean": BOOL, "Int64": ctypes.c_int64}


class Description:
    """What an importer reads of an FMU."""

    def __init__(self, archive):
        self.archive = archive
        with zipfile.ZipFile(archive) as file:
            self.model = ElementTree.fromstring(file.read("modelDescription.xml"))
            self.resources = {
                name.removeprefix("resources/"): file.read(name)
                for name in file.namelist()
                if name.startswith("resources/")
            }
        self.token = self.model.get("instantiationToken")
        self.identifier = self.model.find("CoSimulation").get("modelIdentifier")
        self.variables = [one for one in self.model.find("ModelVariables") if one.tag in TYPES]
        experiment = self.model.find("DefaultExperiment")
        self.stop = float(experiment.get("stopTime", "1")) if experiment is not None else 1.0

    def component(self):
        """Returns the component of WebAssembly."""
        with zipfile.ZipFile(self.archive) as file:
            return file.read(f"binaries/wasm32-wasip2/{self.identifier}.wasm")

    def references(self, kind, *causalities):
        """Returns the value references of variables of a type, all of them without causalities."""
        found = [one for one in self.variables if one.tag == kind and (not causalities or one.get("causality") in causalities)]
        return [int(one.get("valueReference")) for one in found]

    def continuous(self, causality):
        """Returns the value references of variables between which there are derivatives."""
        all = self.references("Float64", causality)
        discrete = [one.get("valueReference") for one in self.variables if one.get("variability") == "discrete"]
        return [reference for reference in all if str(reference) not in discrete]

    def count(self, reference):
        """Returns the number of values of a variable."""
        [variable] = [one for one in self.variables if int(one.get("valueReference")) == reference]
        count = 1
        for dimension in variable.findall("Dimension"):
            count *= int(dimension.get("start") or self.start(dimension.get("valueReference")))
        return count

    def start(self, reference):
        """Returns the start value of the structural parameter with this value reference."""
        [variable] = [one for one in self.model.find("ModelVariables") if one.get("valueReference") == reference]
        return variable.get("start")


class Native:
    """An instance in a shared library."""

    def __init__(self, archive, kind, folder):
        self.description = Description(archive)
        with zipfile.ZipFile(archive) as file:
            file.extractall(folder)
        name = f"{self.description.identifier}.so"
        self.library = ctypes.CDLL(str(Path(folder) / "binaries" / "x86_64-linux" / name))
        instantiate = getattr(self.library, f"fmi3Instantiate{kind}")
        instantiate.restype = ctypes.c_void_p
        texts = [b"instance", self.description.token.encode(), f"{folder}/resources/".encode(), False, True]
        more = [False, False, None, ctypes.c_size_t(0)] if kind == "CoSimulation" else []
        none = [None, None, None] if kind == "CoSimulation" else [None, None]
        self.instance = ctypes.c_void_p(instantiate(*texts, *more, *none))
        assert self.instance.value, "no instance"

    def call(self, name, *arguments):
        status = getattr(self.library, f"fmi3{name}")(self.instance, *arguments)
        assert status == 0, f"{name}: {status}"

    def initialize(self):
        self.call("EnterInitializationMode", False, FLOAT(0), FLOAT(0), False, FLOAT(0))
        self.call("ExitInitializationMode")

    def get(self, kind, references):
        count = sum(map(self.description.count, references))
        values = (TYPES[kind] * count)()
        array = (ctypes.c_uint32 * len(references))(*references)
        self.call(f"Get{kind}", array, ctypes.c_size_t(len(references)), values, ctypes.c_size_t(count))
        return list(values)

    def set(self, kind, references, values):
        array = (ctypes.c_uint32 * len(references))(*references)
        given = (TYPES[kind] * len(values))(*values)
        self.call(f"Set{kind}", array, ctypes.c_size_t(len(references)), given, ctypes.c_size_t(len(values)))

    def step(self, time, h):
        flags, last = [BOOL() for _ in range(3)], FLOAT()
        self.call("DoStep", FLOAT(time), FLOAT(h), True, *map(ctypes.byref, flags), ctypes.byref(last))
        return last.value

    def save(self):
        state = ctypes.c_void_p()
        self.call("GetFMUState", ctypes.byref(state))
        return state

    def restore(self, state):
        self.call("SetFMUState", state)

    def derivatives(self, time):
        """Returns the derivatives of the states, which are at first the start values, in Model Exchange."""
        self.call("EnterContinuousTimeMode")
        self.call("SetTime", FLOAT(time))
        count = ctypes.c_size_t()
        self.call("GetNumberOfContinuousStates", ctypes.byref(count))
        states = (FLOAT * count.value)()
        self.call("GetContinuousStates", states, count)
        self.call("SetContinuousStates", states, count)
        derivatives = (FLOAT * count.value)()
        self.call("GetContinuousStateDerivatives", derivatives, count)
        return list(derivatives)

    def settle(self):
        flags, time = [BOOL() for _ in range(5)], FLOAT()
        self.call("UpdateDiscreteStates", *map(ctypes.byref, flags), ctypes.byref(time))

    def jacobian(self, unknowns, knowns):
        """Returns the directional derivative with the seeds 1, 2, …"""
        sizes = [sum(map(self.description.count, some)) for some in (unknowns, knowns)]
        seeds, result = (FLOAT * sizes[1])(*range(1, sizes[1] + 1)), (FLOAT * sizes[0])()
        arrays = [((ctypes.c_uint32 * len(some))(*some), ctypes.c_size_t(len(some))) for some in (unknowns, knowns)]
        size = [ctypes.c_size_t(one) for one in sizes]
        self.call("GetDirectionalDerivative", *arrays[0], *arrays[1], seeds, size[1], result, size[0])
        return list(result)


class Component:
    """An instance in a component of WebAssembly."""

    PACKAGE = "fmi:fmi3/{}@3.0.0"

    def __init__(self, archive, kind, _folder):
        from wasmtime import Engine, Store
        from wasmtime.component import Component, Linker

        self.description = Description(archive)
        binary = self.description.component()
        engine = Engine()
        self.store, self.log = Store(engine), []
        linker = Linker(engine)
        with linker.root() as root:
            for interface, functions in self.imports().items():
                with root.add_instance(self.PACKAGE.format(interface)) as instance:
                    for name, function in functions.items():
                        instance.add_func(name, function)
        self.component = linker.instantiate(self.store, Component(engine, binary))
        self.interface = {"CoSimulation": "co-simulation", "ModelExchange": "model-exchange"}[kind]
        arguments = ["instance", self.description.token, False, True]
        if kind == "CoSimulation":
            arguments += [False, False, []]
        self.instance = None
        self.instance = self.call(f"[static]{self.interface}-instance.instantiate-{self.interface}", *arguments)
        assert self.instance is not None, self.log

    def imports(self):
        return {
            "types": {},
            "callbacks": {
                "log-message": lambda _, *line: self.log.append(line),
                "clock-update": lambda _: None,
                "lock-preemption": lambda _: None,
                "unlock-preemption": lambda _: None,
            },
            "intermediate-update-callbacks": {"intermediate-update": lambda _, *update: (False, 0.0)},
            "resource-dir-callbacks": {"read-file": self.read},
        }

    def read(self, _, path):
        return self.description.resources.get(path, f"there is no {path}")

    def call(self, name, *arguments):
        method = name if name.startswith("[") else f"[method]{self.interface}-instance.{name}"
        interface = self.component.get_export_index(self.store, self.PACKAGE.format(self.interface))
        index = self.component.get_export_index(self.store, method, interface)
        assert index is not None, method
        function = self.component.get_func(self.store, index)
        own = [self.instance] if self.instance is not None else []
        result = function(self.store, *own, *arguments)
        function.post_return(self.store)
        return result

    def done(self, name, *arguments):
        status = self.call(name, *arguments)
        assert status == "ok", f"{name}: {status}, {self.log}"

    def initialize(self):
        self.done("enter-initialization-mode", None, 0.0, None)
        self.done("exit-initialization-mode")

    def asked(self, name, *arguments):
        result = self.call(name, *arguments)
        assert not isinstance(result, str), f"{name}: {result}, {self.log}"
        return result

    def get(self, kind, references):
        return list(self.asked(f"get-{kind.lower()}", references))

    def set(self, kind, references, values):
        self.done(f"set-{kind.lower()}", references, values)

    def step(self, time, h):
        result = self.asked("do-step", time, h, True)
        return getattr(result, "last-successful-time")

    def save(self):
        return self.asked("get-fmu-state")

    def restore(self, state):
        self.done("set-fmu-state", state)

    def derivatives(self, time):
        self.done("enter-continuous-time-mode")
        self.done("set-time", time)
        states = self.asked("get-continuous-states")
        self.done("set-continuous-states", states)
        return list(self.asked("get-continuous-state-derivatives"))

    def settle(self):
        self.asked("update-discrete-states")

    def jacobian(self, unknowns, knowns):
        size = sum(map(self.description.count, knowns))
        return list(self.asked("get-directional-derivative", unknowns, knowns, [float(i) for i in range(1, size + 1)]))
