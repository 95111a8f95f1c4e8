"""Compares FMUs of FMI 2.0 with those of FMI 3.0 in the subfolder fmi3, through FMPy: both get the same random inputs.

Prints one line for each FMU: its numbers of variables in both. Any difference of a bit is an error.
"""

import ctypes
import math
import pathlib
import random
import struct
import sys
import tempfile

import fmpy
from fmpy import fmi2, fmi3
from fmpy.validation import validate_fmu
from lxml import etree

SCHEMA = pathlib.Path(fmpy.__file__).parent / "schema/fmi3/fmi3TerminalsAndIcons.xsd"
STEP = 1e-3
# Small enough for Euler's method in stiff systems.
SMALL_STEP = 1e-5
# Of some units, as Modelica names them.
QUANTITIES = {"N": "Force", "N.m": "Torque", "m": "Length", "rad": "Angle", "rad/s": "AngularVelocity", "s": "Time", "1": None}


def bits(values):
    return [struct.pack("d", value) if isinstance(value, float) else value for value in values]


class Pair:
    """The same instance in both standards; `names` are those of the scalar variables."""

    def __init__(self, folders, descriptions, kind):
        self.two, self.three = descriptions
        classes = (fmi2.FMU2Slave, fmi3.FMU3Slave) if kind == "coSimulation" else (fmi2.FMU2Model, fmi3.FMU3Model)
        self.fmus = []
        for description, folder, make in zip(descriptions, folders, classes):
            identifier = getattr(description, kind).modelIdentifier
            fmu = make(guid=description.guid, unzipDirectory=folder, modelIdentifier=identifier, instanceName="i")
            fmu.instantiate(loggingOn=True)
            self.fmus.append(fmu)
        self.scalars = {variable.name: variable for variable in self.two.modelVariables}
        # What FMI 3.0 has beside the rows.
        own = ("time", "eventIndicators")
        variables = [v for v in self.three.modelVariables if v.name not in own]
        self.arrays = [v for v in variables if v.causality != "structuralParameter"]
        self.check_quantities()

    def check_quantities(self):
        for array in self.three.modelVariables:
            elements = self.elements(array) if array in self.arrays else []
            for one in [array, *elements]:
                expected = QUANTITIES.get(one.unit, array.quantity)
                assert one.quantity == expected, f"{one.name} [{one.unit}]: {one.quantity}, not {expected}"

    def elements(self, array):
        """The scalar variables of an array, in its order."""
        if array.shape == ():
            return [self.scalars[array.name]]
        indices = [[]]
        for size in array.shape:
            indices = [index + [str(i + 1)] for index in indices for i in range(size)]
        return [self.scalars[f"{array.name}[{','.join(index)}]"] for index in indices]

    def get(self, array):
        two, three = self.fmus
        elements = self.elements(array)
        references = [element.valueReference for element in elements]
        own, count = [array.valueReference], len(elements)
        if array.type == "Float64":
            return two.getReal(references), three.getFloat64(own, count)
        if array.type == "Int32":
            return two.getInteger(references), three.getInt32(own, count)
        if array.type == "Enumeration":
            return two.getInteger(references), three.getInt64(own, count)
        if array.type == "Boolean":
            return [bool(value) for value in two.getBoolean(references)], three.getBoolean(own, count)
        return two.getString(references), three.getString(own, count)

    def compare(self, where):
        for array in self.arrays:
            two, three = self.get(array)
            assert bits(two) == bits(three), f"{where}: {array.name} is {three}, but {two} in FMI 2.0"

    def set(self, array, values):
        two, three = self.fmus
        two.setReal([element.valueReference for element in self.elements(array)], values)
        three.setFloat64([array.valueReference], values)

    def excite(self, chance):
        """Moves the Float64 inputs a little; orientations must stay valid."""
        for array in self.arrays:
            if array.causality == "input" and array.type == "Float64" and not array.name.endswith("R.T"):
                starts = [float(element.start) for element in self.elements(array)]
                self.set(array, [start + chance.uniform(-0.01, 0.01) for start in starts])

    def differentiate(self, chance, where):
        """The derivatives of all outputs along a direction of all continuous inputs."""
        unknowns = [unknown.variable for unknown in self.three.outputs if unknown.variable.type == "Float64"]
        knowns = [a for a in self.arrays if (a.causality, a.variability, a.type) == ("input", "continuous", "Float64")]
        if not (unknowns and knowns):
            return
        elements = [[e.valueReference for a in arrays for e in self.elements(a)] for arrays in (unknowns, knowns)]
        seeds = [chance.uniform(-1, 1) for _ in elements[1]]
        two = self.fmus[0].getDirectionalDerivative(*elements, seeds)
        references = [[a.valueReference for a in arrays] for arrays in (unknowns, knowns)]
        three = self.fmus[1].getDirectionalDerivative(*references, seeds, len(elements[0]))
        assert bits(two) == bits(three), f"{where}: directional derivatives"
        self.check_dependencies(unknowns, where)
        # By another way: the seeds of both sides give the same number.
        sides = [chance.uniform(-1, 1) for _ in three]
        adjoint = self.fmus[1].getAdjointDerivative(*references, sides, len(seeds))
        numbers = [[s * d for s, d in zip(sides, three)], [s * a for s, a in zip(seeds, adjoint)]]
        size = max(map(abs, numbers[0] + numbers[1]), default=0.0)
        difference = abs(math.fsum(numbers[0]) - math.fsum(numbers[1]))
        assert difference <= 1e-13 * len(numbers[0]) * size, f"{where}: adjoint derivatives, {difference} of {size}"

    def dependencies(self, unknown):
        """Elements that depend, value references and elements that they depend on. FMPy's own function for this fails."""
        three = self.fmus[1]
        count = ctypes.c_size_t()
        three.fmi3GetNumberOfVariableDependencies(three.component, unknown.valueReference, ctypes.byref(count))
        elements, others = (ctypes.c_size_t * count.value)(), (ctypes.c_size_t * count.value)()
        independents, kinds = (ctypes.c_uint * count.value)(), (ctypes.c_int * count.value)()
        arguments = unknown.valueReference, elements, independents, others, kinds, count
        three.fmi3GetVariableDependencies(three.component, *arguments)
        assert set(kinds) <= {5}, "fmi3Dependent"
        return list(elements), list(independents), list(others)

    def check_dependencies(self, unknowns, where):
        """Those of elements add up to those of the description; what has a derivative is among them."""
        declared = {unknown.variable.valueReference: unknown.dependencies for unknown in self.three.outputs}
        names = {variable.valueReference: variable.name for variable in self.three.modelVariables}
        for unknown in unknowns:
            known = declared[unknown.valueReference]
            if known is not None:
                found = {names[reference] for reference in self.dependencies(unknown)[1]}
                assert found == {variable.name for variable in known}, f"{where}: dependencies of {unknown.name}"
        unknown = unknowns[-1]
        elements, independents, others = self.dependencies(unknown)
        pairs = set(zip(elements, independents, others))
        effects = {}
        for known in self.arrays:
            if (known.causality, known.variability, known.type) != ("input", "continuous", "Float64"):
                continue
            size = len(self.elements(known))
            for j in range(size):
                seeds = [float(i == j) for i in range(size)]
                own = [unknown.valueReference], [known.valueReference]
                rows = self.fmus[1].getDirectionalDerivative(*own, seeds, len(self.elements(unknown)))
                for i, value in enumerate(rows):
                    effects[i + 1, known.valueReference, j + 1] = abs(value)
        for pair, effect in effects.items():
            # Less than this is rounding.
            least = 1e-10 * max(other for (element, *_), other in effects.items() if element == pair[0])
            assert effect <= least or pair in pairs or 0 in elements, f"{where}: {unknown.name} {pair} {effect}"

    def initialise(self, chance):
        two, three = self.fmus
        two.setupExperiment(startTime=0.0)
        two.enterInitializationMode()
        three.enterInitializationMode()
        self.excite(chance)
        self.compare("initialization mode")
        two.exitInitializationMode()
        three.exitInitializationMode()

    def free(self):
        for fmu in self.fmus:
            fmu.terminate()
            fmu.freeInstance()


def co_simulation(pair, chance):
    pair.initialise(chance)
    two, three = pair.fmus
    saved, begin = None, None
    for step in range(40):
        pair.excite(chance)
        if step == 20:
            saved = two.getFMUState(), three.serializeFMUState(three.getFMUState())
        two.doStep(step * STEP, STEP)
        three.doStep(step * STEP, STEP)
        pair.compare(f"step {step}")
        begin = begin or (step == 20 and [pair.get(array)[1] for array in pair.arrays])
        if step % 10 == 0:
            pair.differentiate(chance, f"step {step}")
    # Back to the step with these inputs.
    two.setFMUState(saved[0])
    three.setFMUState(three.deserializeFMUState(saved[1]))
    two.doStep(20 * STEP, STEP)
    three.doStep(20 * STEP, STEP)
    pair.compare("repeated step")
    assert begin == [pair.get(array)[1] for array in pair.arrays], "a repeated step"


class Resized:
    """An instance for Co-Simulation whose table `name` gets other rows."""

    def __init__(self, folder, description, name, make=fmi3.FMU3Slave):
        self.lines = []
        log = lambda environment, status, category, message: self.lines.append(message.decode())
        model = description.coSimulation.modelIdentifier
        self.fmu = make(guid=description.guid, unzipDirectory=folder, modelIdentifier=model, instanceName="i")
        self.fmu.instantiate(loggingOn=True, logMessage=log)
        self.references = {v.name: v.valueReference for v in description.modelVariables}
        self.rows, self.table = [self.references[f"{name}_rows"]], [self.references[name]]

    def resize(self, count):
        self.fmu.enterConfigurationMode()
        self.fmu.setUInt64(self.rows, [count])
        self.fmu.exitConfigurationMode()
        assert self.fmu.getUInt64(self.rows) == [count]

    def fill(self, rows):
        self.fmu.setFloat64(self.table, [value for row in rows for value in row])

    def start(self):
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def force(self, x):
        self.fmu.setFloat64([self.references["frame_b.r_0"]], [x, 2 * x, -x])
        return self.fmu.getFloat64([self.references["frame_b.f"]], 3)

    def refuse(self, call, message):
        del self.lines[:]
        try:
            call()
        except fmpy.fmi1.FMICallException:
            assert message in self.lines[-1], self.lines
            self.fmu.reset()
            return
        raise AssertionError(f"not refused: {message}")


def reconfiguration(many, two, line):
    """Other rows during the simulation give the forces of an instance that began with them, to the last bit."""
    force = two.force(0.003)
    many.resize(2)
    many.fill([line(0.0), line(0.01)])
    assert many.force(0.003) == force
    many.fmu.doStep(0.0, 0.1)
    many.resize(3)
    many.fill([[0.0, 1e6, 1e6, 1e6], [0.001, 1e6, 1e6, 1e6], [0.01, 2e6, 2e6, 2e6]])
    many.fmu.doStep(0.1, 0.1)
    assert many.fmu.getFloat64([many.references["frame_b.f"]], 3) == many.force(0.003) != force
    many.fill([line(0.0), line(0.01), line(0.005)])
    many.refuse(lambda: many.fmu.doStep(0.2, 0.1), "TS_table, row 3, column 1 is")


def reconfiguration_in_model_exchange(folder, description, line):
    """Event mode is where rows change; in continuous-time mode they cannot."""
    rows = [line(0.0), line(0.004), line(0.01)]
    began, changed = (Resized(folder, description, "TS_table", fmi3.FMU3Model) for _ in range(2))
    began.resize(3)
    began.fill(rows)
    for one in (began, changed):
        one.start()
        one.fmu.updateDiscreteStates()
        one.fmu.enterContinuousTimeMode()
        one.fmu.setTime(0.1)
        one.fmu.completedIntegratorStep()
    changed.fmu.enterEventMode()
    changed.resize(3)
    changed.fill(rows)
    changed.fmu.updateDiscreteStates()
    changed.fmu.enterContinuousTimeMode()
    assert changed.force(0.003) == began.force(0.003)
    fixed = 'cannot be set to 0.0 in state "continuous-time mode": it is a tunable parameter, which may be set before the simulation'
    began.refuse(lambda: began.fmu.setFloat64(began.table, [0.0] * 12), fixed)
    changed.refuse(changed.fmu.enterConfigurationMode, 'not allowed in state "continuous-time mode"')
    began.fmu.freeInstance()
    changed.fmu.freeInstance()


def table_sizes(folder, description):
    """A table with 10,000 rows in place of 2 on the same lines, and what is refused."""
    two, many = (Resized(folder, description, "TS_table") for _ in range(2))
    line = lambda x: [x, 1e6 + 1e8 * x, 2e6 + 3e8 * x, 5e5 + 1e7 * x]
    rows = [line(0.01 * i / 9999) for i in range(10_000)]
    two.fill([line(0.0), line(0.01)])
    many.resize(10_000)
    spare = many.fmu.getFloat64(many.table, 40_000)
    assert spare[4:8] == spare[-4:], "new rows repeat the last one"
    many.fill(rows)
    assert many.fmu.getFloat64(many.table, 40_000) == [value for row in rows for value in row]
    two.start()
    many.start()
    for x in (0.0001, 0.003, -0.004, 0.0049):
        for a, b in zip(two.force(x), many.force(x)):
            assert abs(a - b) <= 1e-9 * abs(a), f"{b} N, not {a} N at {x} m"
    # A state has the rows.
    force = many.force(0.003)
    states = many.fmu.getFMUState(), many.fmu.serializeFMUState(many.fmu.getFMUState())
    for state in (lambda: states[0], lambda: many.fmu.deserializeFMUState(states[1])):
        many.fmu.reset()
        assert many.fmu.getUInt64(many.rows) == [2]
        many.fmu.setFMUState(state())
        assert many.fmu.getUInt64(many.rows) == [10_000]
        assert many.force(0.003) == force
    reconfiguration(many, two, line)
    many.refuse(lambda: many.fmu.setUInt64(many.rows, [3]), "can be set in configuration and reconfiguration mode only")
    many.refuse(lambda: many.resize(0), '"TS_table" must have from 1 to 1000000 rows, not 0')
    many.refuse(lambda: many.resize(10**18), '"TS_table" must have from 1 to 1000000 rows, not 1000000000000000000')
    many.refuse(lambda: many.fmu.getUInt64([0]), "no UInt64 variable has the value reference 0")
    many.resize(3)
    many.refuse(lambda: many.fill(rows[:2]), "there are 8 values, but the variables have 12")
    many.resize(3)
    many.fill([rows[0], rows[2], rows[1]])
    many.refuse(many.start, "TS_table, row 3, column 1 is")
    reconfiguration_in_model_exchange(folder, description, line)
    array = two.references["frame_b.r_0"]
    inside = f"no Float64 variable has the value reference {array + 1}"
    two.refuse(lambda: two.fmu.setFloat64([array, array + 1], [0.0] * 3), inside)
    two.fmu.freeInstance()
    many.fmu.freeInstance()


class Told:
    """An instance for Co-Simulation that calls `update` inside its steps, with early return."""

    def __init__(self, folder, description, update=None, variables=None):
        self.lines = []
        log = lambda environment, status, category, message: self.lines.append(message.decode())
        model = description.coSimulation.modelIdentifier
        self.fmu = fmi3.FMU3Slave(
            guid=description.guid, unzipDirectory=folder, modelIdentifier=model, instanceName="i"
        )
        self.fmu.instantiate(
            loggingOn=True,
            logMessage=log,
            earlyReturnAllowed=True,
            intermediateUpdate=update,
            requiredIntermediateVariables=variables,
        )
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()


def known_inside(description, causality):
    variables = [v for v in description.modelVariables if v.intermediateUpdate and v.causality == causality]
    return [v.valueReference for v in variables], sum(math.prod(v.shape) for v in variables)


def intermediate_update(folder, description):
    """Values inside steps beside those of an instance that steps to the same time; inputs set inside; an early return."""
    outputs, count = known_inside(description, "output")
    inputs, input_count = known_inside(description, "input")
    seen = []

    def update(environment, time, set_requested, get_allowed, finished, can_return, requested, return_time):
        # An exception here would be lost.
        right = get_allowed and finished and set_requested == (bool(inputs) and time < 0.02 * (step + 1))
        seen.append((time, right, told.fmu.getFloat64(outputs, count)))
        if set_requested:
            told.fmu.setFloat64(inputs, told.fmu.getFloat64(inputs, input_count))
        if step == 4 and time > 0.085 and can_return:
            requested[0], return_time[0] = True, 0.0925

    told = Told(folder, description, update, outputs + inputs)
    other = Told(folder, description)
    for step in range(5):
        del seen[:]
        point, h = 0.02 * step, 0.02
        end = 0.0925 if step == 4 else point + h
        assert told.fmu.doStep(point, h) == (False, False, step == 4, end)
        assert all(right for _, right, _ in seen), seen
        times = [time for time, _, _ in seen]
        assert times == sorted(times) and times[0] >= point and times[-1] == end and len(times) >= 5, times
        begin = other.fmu.getFMUState()
        for time, _, values in seen:
            part = (time - point) / h * 8
            # Between these ends of parts are events, at which accelerations jump.
            if abs(part - round(part)) < 1e-9:
                other.fmu.setFMUState(begin)
                other.fmu.doStep(point, time - point)
                for one, two in zip(values, other.fmu.getFloat64(outputs, count)):
                    assert abs(one - two) <= 1e-5 * max(1.0, abs(one)), f"{time}: {one}, not {two}"
        other.fmu.freeFMUState(begin)
    assert told.lines == other.lines, told.lines
    other.fmu.freeInstance()
    told.fmu.freeInstance()


def refuse_inside(folder, description):
    """What goes wrong inside a step ends it with an error: a call that is not allowed there, and the end of the instance."""
    for call, reason in (
        (lambda: told.fmu.fmi3DoStep(told.fmu.component, 0.0, 0.1, True, *[None] * 4), "fmi3DoStep: not allowed in state"),
        (lambda: told.fmu.reset(), 'fmi3Reset: not allowed in state "intermediate update mode"'),
        (lambda: told.fmu.freeInstance(), None),
    ):
        calls = []

        def update(*arguments):
            calls.append(arguments)
            try:
                call()
            except fmpy.fmi1.FMICallException as error:
                assert error.status == 3 and reason

        told = Told(folder, description, update)
        lines = told.lines
        freed = told.fmu.freeInstance if reason else None
        try:
            told.fmu.doStep(0.0, 0.1)
        except fmpy.fmi1.FMICallException as error:
            assert error.status == 3 and len(calls) == 1, calls
        else:
            raise AssertionError("the step did not end")
        assert not lines if reason is None else lines[0].startswith(reason), lines
        if freed:
            freed()
    log = lambda environment, status, category, message: lines.append(message.decode())
    for variables, reason in (
        ([4_000_000_000], "no Float64 variable has the value reference 4000000000"),
        (None, "an array of 1 elements is NULL"),
    ):
        lines = []
        dll, none = ctypes.CDLL(told.fmu.dll._name), ctypes.c_void_p()
        make = dll.fmi3InstantiateCoSimulation
        make.restype = ctypes.c_void_p
        callbacks = fmi3.fmi3LogMessageCallback(log), fmi3.fmi3IntermediateUpdateCallback(update)
        given = (ctypes.c_uint * 1)(*variables) if variables else none
        texts = b"i", description.guid.encode(), (str(folder) + "/resources/").encode()
        assert make(*texts, False, True, False, False, given, ctypes.c_size_t(1), none, *callbacks) is None
        assert lines == [f"fmi3InstantiateCoSimulation: requiredIntermediateVariables: {reason}"], lines


def event_mode(file, description):
    """The same end of a run whether the importer handles the events or not."""
    outputs = [v.name for v in description.modelVariables if v.causality == "output" and v.type == "Float64"]
    inputs = [v.name for v in description.modelVariables if v.causality == "input" and v.type == "Boolean"]
    rows = []
    for handles in (False, True):
        result = fmpy.simulate_fmu(
            file,
            fmi_type="CoSimulation",
            stop_time=40 * STEP,
            output_interval=STEP,
            output=outputs,
            start_values={name: True for name in inputs},
            use_event_mode=handles,
            early_return_allowed=handles,
        )
        rows.append(result[-1])
    for name in rows[0].dtype.names:
        pair = [[float(value) for value in row[name].flat] for row in rows]
        for inside, outside in zip(*pair):
            assert abs(inside - outside) <= 1e-6 * max(1.0, abs(inside)), f"{file}: {name} is {outside}, not {inside}"


def numbers(count):
    return (ctypes.c_double * count)()


def model_exchange(pair, chance):
    pair.initialise(chance)
    two, three = pair.fmus
    states, indicators = three.getNumberOfContinuousStates(), three.getNumberOfEventIndicators()
    assert states == pair.three.numberOfContinuousStates == pair.two.numberOfContinuousStates
    assert indicators == pair.three.numberOfEventIndicators == pair.two.numberOfEventIndicators

    def update():
        again = True
        while again:
            infos = [list(two.newDiscreteStates()), list(three.updateDiscreteStates())]
            assert infos[0] == infos[1], f"event info {infos[1]}, but {infos[0]} in FMI 2.0"
            again = infos[0][0]

    def of_both(count, first, second):
        values = numbers(count), numbers(count)
        first(values[0], count)
        second(values[1], count)
        assert bytes(values[0]) == bytes(values[1]), second.__name__
        return values[0]

    update()
    two.enterContinuousTimeMode()
    three.enterContinuousTimeMode()
    for step in range(1, 41):
        slopes = of_both(states, two.getDerivatives, three.getContinuousStateDerivatives)
        at = of_both(states, two.getContinuousStates, three.getContinuousStates)
        moved = (ctypes.c_double * states)(*[value + SMALL_STEP * slope for value, slope in zip(at, slopes)])
        for fmu in pair.fmus:
            fmu.setTime(step * SMALL_STEP)
            if states:
                fmu.setContinuousStates(moved, states)
        pair.excite(chance)
        of_both(indicators, two.getEventIndicators, three.getEventIndicators)
        if indicators:
            values = numbers(indicators)
            three.getEventIndicators(values, indicators)
            (own,) = [v.valueReference for v in pair.three.modelVariables if v.name == "eventIndicators"]
            assert bits(three.getFloat64([own], indicators)) == bits(list(values))
        (time,) = [v.valueReference for v in pair.three.modelVariables if v.name == "time"]
        assert three.getFloat64([time]) == [step * SMALL_STEP]
        of_both(states, two.getNominalsOfContinuousStates, three.getNominalsOfContinuousStates)
        asks = two.completedIntegratorStep()
        assert list(asks) == list(three.completedIntegratorStep())
        pair.compare(f"integrator step {step}")
        if asks[0] or step % 10 == 0:
            pair.differentiate(chance, f"integrator step {step}")
            two.enterEventMode()
            three.enterEventMode()
            update()
            pair.compare(f"event at step {step}")
            two.enterContinuousTimeMode()
            three.enterContinuousTimeMode()


def refuse(folder, description):
    """Calls that are refused, with their messages, which are no formats as those of FMI 2.0."""
    lines = []
    make = lambda: fmi3.FMU3Slave(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="i",
    )
    log = lambda environment, status, category, message: lines.append(message.decode())
    fmu = make()
    fmu.instantiate(loggingOn=True, logMessage=log)
    # Without FMPy's types of arguments.
    dll = ctypes.CDLL(fmu.dll._name)
    instance, number = ctypes.c_void_p(fmu.component), ctypes.c_double
    unused = ctypes.c_void_p()
    count = ctypes.c_size_t(1)
    reference = (ctypes.c_uint * 1)(0)
    calls = [
        (dll.fmi2DoStep, (number(0), number(1), 0), "fmi2DoStep does not exist in FMI 3.0, for which"),
        (dll.fmi3DoStep, (number(0), number(1), 0, *[unused] * 4), 'state "error" (call fmi3Reset or fmi3SetFMUState'),
        (dll.fmi3Reset, (), None),
        # These have a way of their own.
        (dll.fmi2GetReal, (reference, count, (number * 1)()), "fmi2GetReal does not exist in FMI 3.0, for which"),
        (dll.fmi3Reset, (), None),
        (dll.fmi2SetReal, (reference, ctypes.c_size_t(0), (number * 1)()), "fmi2SetReal does not exist in FMI 3.0, for"),
        (dll.fmi3Reset, (), None),
        (dll.fmi3GetClock, (reference, count, unused), "this FMU has no Clock variables"),
        (dll.fmi3Reset, (), None),
        *(
            [(dll.fmi3EnterConfigurationMode, (), "this FMU has no structural parameters"), (dll.fmi3Reset, (), None)]
            if not any(v.causality == "structuralParameter" for v in description.modelVariables)
            else []
        ),
        (dll.fmi3GetFloat64, (reference, count, unused, count), "an array of 1 elements is NULL"),
        (dll.fmi3Reset, (), None),
        (dll.fmi3SetString, (reference, count, (ctypes.c_char_p * 1)(b"100 %"), count), "no String variable"),
        (dll.fmi3Reset, (), None),
        (dll.fmi3SetDebugLogging, (True, count, (ctypes.c_char_p * 1)(b"100 % #1#")), None),
        (dll.fmi3EnterInitializationMode, (False, number(0), number(1), True, number(0)), "stopTime is 0.0"),
        (dll.fmi3Reset, (), None),
        (dll.fmi3SetTime, (number(0),), "fmi3SetTime does not exist for Co-Simulation"),
    ]
    for call, arguments, message in calls:
        del lines[:]
        status = call(instance, *arguments)
        assert status == (3 if message else 0), f"{call}: {status} {lines}"
        assert message is None or message in lines[0], lines
        if call is dll.fmi3SetDebugLogging:
            assert 'unknown category "100 % #1#"' in lines[0], lines
    fmu.freeInstance()
    del lines[:]
    scheduled = dll.fmi3InstantiateScheduledExecution
    scheduled.restype = ctypes.c_void_p
    callback = fmi3.fmi3LogMessageCallback(log)
    assert scheduled(b"i", b"", b"", False, True, unused, callback, unused, unused, unused) is None
    assert lines == ["fmi3InstantiateScheduledExecution: only Model Exchange and Co-Simulation are supported"]


for path in sorted(pathlib.Path(sys.argv[1]).glob("*.fmu")):
    files = [str(path), str(path.parent / "fmi3" / path.name)]
    problems = validate_fmu(files[1])
    assert not problems, f"{path.stem}: {problems}"
    descriptions = [fmpy.read_model_description(file, validate=False) for file in files]
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        folders = [fmpy.extract(file, folder) for file, folder in zip(files, (one, other))]
        terminals = etree.parse(pathlib.Path(other) / "terminalsAndIcons/terminalsAndIcons.xml")
        etree.XMLSchema(file=str(SCHEMA)).assertValid(terminals)
        names = {variable.name for variable in descriptions[1].modelVariables}
        for member in terminals.iter("TerminalMemberVariable"):
            assert member.get("variableName") in names, member.attrib
        refuse(other, descriptions[1])
        try:
            intermediate_update(other, descriptions[1])
        except Exception as error:
            raise AssertionError(f"{path.stem}, intermediate update: {error}") from error
        if path.stem == "Clutch":
            refuse_inside(other, descriptions[1])
        for kind, play in (("coSimulation", co_simulation), ("modelExchange", model_exchange)):
            pair = Pair(folders, descriptions, kind)
            try:
                play(pair, random.Random(path.stem))
            except Exception as error:
                raise AssertionError(f"{path.stem}, {kind}: {error}") from error
            pair.free()
        if path.stem == "Tabular":
            table_sizes(other, descriptions[1])
    event_mode(files[1], descriptions[1])
    print(path.stem, *(len(description.modelVariables) for description in descriptions))
