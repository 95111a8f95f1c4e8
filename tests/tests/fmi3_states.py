"""Every function of FMI 3.0 in every state of both interfaces, through C, with arguments that are valid where it is allowed.

Takes the archive of a clutch.
"""

import ctypes
import sys
import tempfile

import fmpy
from fmpy import fmi3

OK, ERROR = 0, 3

# The states in which a function is allowed, in Co-Simulation and in Model Exchange, from FMI 3.0.2: instantiated,
# iNitialization, event mode, step mode or continuous-time mode (s), terminated, error (x), configuration (g), reconfiguration (r),
# intermediate update (u). In upper case what common importers do beside the standard. After an error the standard has terminated alone.
ALL, RUN = "inestxgr", "nest"
ALLOWED = {
    **dict.fromkeys(["Reset", "SetFMUState"], (ALL, ALL)),
    **dict.fromkeys(["SetDebugLogging", "GetFMUState", "FreeFMUState"], (ALL + "u", ALL)),
    **dict.fromkeys(["SerializedFMUStateSize", "SerializeFMUState", "DeserializeFMUState"], (ALL + "u", ALL)),
    "EnterInitializationMode": ("i", "i"),
    "ExitInitializationMode": ("n", "n"),
    "Terminate": ("NesTr", "NesTr"),
    **dict.fromkeys(
        [f"Get{kind}" for kind in ("Float64", "Int32", "Int64", "Boolean", "String", "Float32", "Int8", "UInt8")]
        + [f"Get{kind}" for kind in ("Int16", "UInt16", "UInt32", "Binary", "Clock")],
        ("InestXu", "InestX"),
    ),
    "GetUInt64": ("InestXGRu", "InestXGR"),
    "SetFloat64": ("inesu", "ines"),
    **dict.fromkeys(
        [f"Set{kind}" for kind in ("Int32", "Int64", "Boolean", "String", "Float32", "Int8", "UInt8", "Int16")]
        + [f"Set{kind}" for kind in ("UInt16", "UInt32", "Binary", "Clock")],
        ("ines", "ine"),
    ),
    # Without variables this may be called as the others.
    "SetUInt64": ("inesgr", "inegr"),
    **dict.fromkeys(["GetDirectionalDerivative", "GetAdjointDerivative"], (RUN, RUN)),
    **dict.fromkeys(["GetNumberOfVariableDependencies", "GetVariableDependencies"], (RUN + "u", RUN)),
    "EnterConfigurationMode": ("is", "ie"),
    "ExitConfigurationMode": ("gr", "gr"),
    "ActivateModelPartition": ("", ""),
    **dict.fromkeys(
        [f"{verb}{what}" for verb in ("Get", "Set") for what in ("IntervalDecimal", "IntervalFraction")]
        + [f"{verb}{what}" for verb in ("Get", "Set") for what in ("ShiftDecimal", "ShiftFraction")],
        ("ines", "ines"),
    ),
    "EnterStepMode": ("e", ""),
    "GetOutputDerivatives": ("EstU", ""),
    "DoStep": ("s", ""),
    "EnterEventMode": ("Es", "Es"),
    "UpdateDiscreteStates": ("e", "e"),
    "EnterContinuousTimeMode": ("", "e"),
    "CompletedIntegratorStep": ("", "Es"),
    "SetTime": ("", "INEs"),
    "SetContinuousStates": ("", "Es"),
    **dict.fromkeys(["GetContinuousStateDerivatives", "GetEventIndicators", "GetContinuousStates"], ("", RUN)),
    "GetNominalsOfContinuousStates": ("", "i" + RUN),
    **dict.fromkeys(["GetNumberOfContinuousStates", "GetNumberOfEventIndicators"], ("", "inestX")),
}
# How to get into a state, from "instantiated".
INIT = ["EnterInitializationMode"]
WAYS = {"i": [], "n": INIT, "g": ["EnterConfigurationMode"], "x": ["ExitConfigurationMode"]}
EVENT = [*INIT, "ExitInitializationMode"]
WAYS |= {"e": EVENT, "t": [*EVENT, "Terminate"]}
LEAVE = {"cs": "EnterStepMode", "me": "EnterContinuousTimeMode"}


class Instance:
    def __init__(self, folder, description, kind):
        self.lines = []
        log = lambda environment, status, category, message: self.lines.append(message.decode())
        make = fmi3.FMU3Slave if kind == "cs" else fmi3.FMU3Model
        model = description.coSimulation.modelIdentifier
        fmu = make(guid=description.guid, unzipDirectory=folder, modelIdentifier=model, instanceName="i")
        self.inside = None
        flags = {"eventModeUsed": True, "intermediateUpdate": self.update} if kind == "cs" else {}
        fmu.instantiate(loggingOn=True, logMessage=log, **flags)
        # Without FMPy's types of arguments.
        self.fmu, self.dll = fmu, ctypes.CDLL(fmu.dll._name)
        self.instance = ctypes.c_void_p(fmu.component)
        self.reference = {v.name: v.valueReference for v in description.modelVariables}
        self.sizes = description.numberOfContinuousStates, description.numberOfEventIndicators

    def update(self, *arguments):
        """Makes the call that is to be made inside a step, once."""
        name, self.inside = self.inside, None
        if name:
            self.status = self.call(name)

    def call_inside(self, name):
        """Makes a call inside a step, which it must not disturb if it is allowed."""
        self.inside = name
        assert self.call("DoStep") == self.status, f"{name} inside a step: {self.status} {self.lines}"
        return self.status

    def call(self, name):
        return getattr(self.dll, "fmi3" + name)(self.instance, *self.arguments(name))

    def arguments(self, name):
        number, size, none = ctypes.c_double, ctypes.c_size_t, ctypes.c_void_p()
        numbers = lambda count: (number * count)()
        references = lambda *names: (ctypes.c_uint * len(names))(*(self.reference[name] for name in names))
        one = size(1)
        states, indicators = self.sizes
        if name.startswith(("Get", "Set")) and name[3:] in ("Float64", "Int32", "Boolean", "UInt64"):
            variable, kind = {
                "Float64": ("f_normalized", number),
                "Int32": ("mode", ctypes.c_int),
                "Boolean": ("locked", ctypes.c_bool),
                "UInt64": ("mue_pos_rows", ctypes.c_uint64),
            }[name[3:]]
            # Nothing of these types may be set; numbers of rows in configuration mode only.
            count = 0 if name in ("SetInt32", "SetBoolean", "SetUInt64") else 1
            return references(variable), size(count), (kind * 1)(), size(count)
        if name.startswith(("GetFMUState", "SetFMUState", "FreeFMUState", "Seriali", "Deseriali")):
            return self.of_state(name, size)
        if name.startswith(("GetBinary", "SetBinary")):
            return none, size(0), none, none, size(0)
        if "Interval" in name or "Shift" in name or name.endswith("Clock"):
            return none, size(0), none, none, none
        return {
            "SetDebugLogging": (True, size(0), none),
            "EnterInitializationMode": (False, number(0), number(0), False, number(0)),
            "GetDirectionalDerivative": (references("tau"), one, references("f_normalized"), one, *[numbers(1), one] * 2),
            "GetAdjointDerivative": (references("tau"), one, references("f_normalized"), one, *[numbers(1), one] * 2),
            "GetNumberOfVariableDependencies": (ctypes.c_uint(self.reference["tau"]), ctypes.byref(size())),
            "GetVariableDependencies": self.of_dependencies(size) if name == "GetVariableDependencies" else (),
            "ActivateModelPartition": (ctypes.c_uint(0), number(0)),
            "GetOutputDerivatives": (references("w_rel"), one, (ctypes.c_int * 1)(1), numbers(1), one),
            "DoStep": (number(0), number(0.1), True, *[ctypes.byref(ctypes.c_bool()) for _ in range(3)], numbers(1)),
            "UpdateDiscreteStates": (*[ctypes.byref(ctypes.c_bool()) for _ in range(5)], numbers(1)),
            "CompletedIntegratorStep": (True, *[ctypes.byref(ctypes.c_bool()) for _ in range(2)]),
            "SetTime": (number(0),),
            "GetEventIndicators": (numbers(indicators), size(indicators)),
            "GetNumberOfContinuousStates": (ctypes.byref(size()),),
            "GetNumberOfEventIndicators": (ctypes.byref(size()),),
            **dict.fromkeys(
                ["SetContinuousStates", "GetContinuousStates", "GetContinuousStateDerivatives"]
                + ["GetNominalsOfContinuousStates"],
                (numbers(states), size(states)),
            ),
        }.get(name, (none, size(0), none, size(0)) if name[:3] in ("Get", "Set") else ())

    def of_dependencies(self, size):
        count = size()
        reference = ctypes.c_uint(self.reference["tau"])
        self.dll.fmi3GetNumberOfVariableDependencies(self.instance, reference, ctypes.byref(count))
        room = [(kind * count.value)() for kind in (ctypes.c_size_t, ctypes.c_uint, ctypes.c_size_t, ctypes.c_int)]
        return reference, *room, count

    def of_state(self, name, size):
        self.state = ctypes.c_void_p()
        if name == "GetFMUState":
            return (ctypes.byref(self.state),)
        self.dll.fmi3GetFMUState(self.instance, ctypes.byref(self.state))
        length = size()
        self.dll.fmi3SerializedFMUStateSize(self.instance, self.state, ctypes.byref(length))
        room = (ctypes.c_ubyte * length.value)()
        self.dll.fmi3SerializeFMUState(self.instance, self.state, room, length)
        return {
            "SetFMUState": (self.state,),
            "FreeFMUState": (ctypes.byref(self.state),),
            "SerializedFMUStateSize": (self.state, ctypes.byref(size())),
            "SerializeFMUState": (self.state, room, length),
            "DeserializeFMUState": (room, length, ctypes.byref(ctypes.c_void_p())),
        }[name]


description = fmpy.read_model_description(sys.argv[1])
cells = 0
with tempfile.TemporaryDirectory() as folder:
    fmpy.extract(sys.argv[1], folder)
    for column, kind in enumerate(("cs", "me")):
        ways = WAYS | {"s": [*EVENT, "UpdateDiscreteStates", LEAVE[kind]]}
        ways |= {"r": [*ways["s" if kind == "cs" else "e"], "EnterConfigurationMode"]}
        ways |= {"u": ways["s"]} if kind == "cs" else {}
        for state, way in ways.items():
            for name, allowed in ALLOWED.items():
                instance = Instance(folder, description, kind)
                where = f"{name} in state {state} of {kind}"
                for step in way:
                    status = instance.call(step)
                    assert status == (ERROR if state == "x" else OK), f"{where}: {step}: {status} {instance.lines}"
                del instance.lines[:]
                is_allowed = state in allowed[column].lower()
                if name == "EnterContinuousTimeMode" and is_allowed:
                    instance.call("UpdateDiscreteStates")
                status = instance.call_inside(name) if state == "u" else instance.call(name)
                assert status == (OK if is_allowed else ERROR), f"{where}: {status} {instance.lines}"
                if not is_allowed:
                    reasons = ("not allowed in state", "does not exist for")
                    text = instance.lines[-1]
                    assert text.startswith(f"fmi3{name}: ") and any(reason in text for reason in reasons), (where, text)
                    # An error leads to a state of its own, from which a reset leads out.
                    assert instance.call("GetFMUState") == OK and instance.call("EnterInitializationMode") == ERROR, where
                    assert instance.call("Reset") == OK and instance.call("EnterInitializationMode") == OK, where
                instance.fmu.freeInstance()
                cells += 1
print(cells)
