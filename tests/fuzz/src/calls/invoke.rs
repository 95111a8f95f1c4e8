//! One call with arguments from the bytes, and its result by the standard.

use std::ffi::{CStr, CString, c_char, c_int};

use fmu_builder::Standard;
use fmu_builder::description::Causality;
use fmu_runtime::MAX_ROWS;

use super::{Expected, Modelled, Saved};
use crate::bytes::Bytes;
use crate::instance::{Answers, Array, Experiment, Instance, OK, UNDECIDED, pointers};
use crate::variables::{Base, Variable};
use Expected::{Bad, Good, Nothing, Open};

/// `fmi3Dependent`
const DEPENDENT: c_int = 5;

/// A count of value references and one of values, and for each array true if it is NULL.
pub(super) struct Shape {
    pub count: usize,
    pub size: usize,
    pub nulls: [bool; 2],
}

impl Shape {
    pub fn of(bytes: &mut Bytes<'_>) -> Self {
        let code = bytes.byte();
        let count = usize::from(code & 7);
        Self { count, size: count, nulls: [code >> 3 & 7 == 7, code >> 6 == 3] }
    }

    /// Returns true if an array with elements is NULL.
    pub fn is_wrong(&self) -> bool {
        self.count > 0 && self.nulls[0] || self.size > 0 && self.nulls[1]
    }

    pub fn array<T>(&self, number: usize, mut next: impl FnMut() -> T) -> Array<T> {
        let count = [self.count, self.size][number];
        if self.nulls[number] { Array::NULL } else { (0..count).map(|_| next()).collect::<Vec<_>>().into() }
    }
}

fn good_if(good: bool) -> Expected {
    if good { Good } else { Bad }
}

pub(super) fn open_if(open: bool) -> Expected {
    if open { Open } else { Bad }
}

impl Experiment {
    fn of(bytes: &mut Bytes<'_>) -> Self {
        let (tolerance, start) = (bytes.real(), bytes.real());
        let (tolerance_defined, stop_defined) = (bytes.one_in(2), bytes.one_in(4));
        Self { tolerance: tolerance_defined.then_some(tolerance), start, stop_defined, stop: bytes.real() }
    }
}

/// A function that gets values: of a count of value references, into an array of a size.
type Get<T> = fn(&Instance, &Array<u32>, usize, &mut Array<T>, usize) -> c_int;

/// A value that no function writes, the function that gets values, and the comparison of set and got values.
type ReadBack<T> = (T, Get<T>, fn(T, T) -> bool);

/// A base type, the source of its values, and which of them a variable accepts.
type BaseType<T> = (Base, fn(&mut Bytes<'_>) -> T, fn(&Variable, T) -> bool);

impl Modelled {
    /// Calls a function.
    pub(super) fn invoke(&mut self, function: &str, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let one = &self.instance;
        match function {
            "SetDebugLogging" => self.set_debug_logging(bytes),
            "SetupExperiment" => self.set_up(bytes, |it, experiment| it.setup_experiment(experiment)),
            "EnterInitializationMode" if one.called == Standard::Fmi3 => {
                self.set_up(bytes, |it, experiment| it.enter_initialization_mode(experiment))
            }
            "EnterInitializationMode" => (one.enter_initialization_mode(Experiment::ORDINARY), Good),
            "ExitInitializationMode" => (one.exit_initialization_mode(), Open),
            "Terminate" => (one.terminate(), Good),
            "Reset" => {
                let status = one.reset();
                if status == OK {
                    self.time = Some(0.0);
                    self.rows.clone_from(&one.prepared.variables[1].rows);
                }
                (status, Good)
            }
            "GetReal" | "GetFloat64" => self.get(bytes, Base::Real, f64::NAN, f64::to_bits, Instance::get_real),
            "GetInteger" | "GetInt32" => self.get(bytes, Base::Integer, 0, |v| v, Instance::get_integer),
            "GetInt64" => self.get(bytes, Base::Enumeration, 0, |v| v, Instance::get_items),
            "GetUInt64" => self.get(bytes, Base::Rows, 0, |v| v, Instance::get_rows),
            "GetBoolean" => self.get(bytes, Base::Boolean, UNDECIDED, |v| v, Instance::get_boolean),
            "GetString" => self.get(bytes, Base::String, std::ptr::null(), text, Instance::get_string),
            "SetReal" | "SetFloat64" => self.set(
                bytes,
                (Base::Real, |bytes| bytes.real(), Variable::takes_real),
                Instance::set_real,
                (f64::NAN, Instance::get_real, |now, set| now.to_bits() == set.to_bits()),
            ),
            "SetInteger" | "SetInt32" => self.set(
                bytes,
                (Base::Integer, |bytes| bytes.integer(), |it, value| it.takes_whole(value.into())),
                Instance::set_integer,
                (i32::MIN, Instance::get_integer, |now, set| now == set),
            ),
            "SetInt64" => self.set(
                bytes,
                (Base::Enumeration, |bytes| item(bytes), Variable::takes_whole),
                Instance::set_items,
                (i64::MIN, Instance::get_items, |now, set| now == set),
            ),
            "SetUInt64" => self.set_rows(bytes),
            "SetBoolean" => self.set(
                bytes,
                (Base::Boolean, |bytes| bytes.integer(), |_, _| true),
                Instance::set_boolean,
                (UNDECIDED, Instance::get_boolean, |now, set| now == c_int::from(set != 0)),
            ),
            "SetString" => self.set_string(bytes),
            "GetFMUstate"
            | "SetFMUstate"
            | "FreeFMUstate"
            | "SerializedFMUstateSize"
            | "SerializeFMUstate"
            | "DeSerializeFMUstate"
            | "GetFMUState"
            | "SetFMUState"
            | "FreeFMUState"
            | "SerializedFMUStateSize"
            | "SerializeFMUState"
            | "DeserializeFMUState" => self.with_state(function, bytes),
            "GetDirectionalDerivative" => {
                let (mut first, mut second) = (Shape::of(bytes), Shape::of(bytes));
                let unknowns = self.references(Base::Real, &mut first, bytes);
                let knowns = self.references(Base::Real, &mut second, bytes);
                let seeds = second.array(1, || bytes.real());
                let mut result = first.array(1, || f64::NAN);
                let (count, other) = (first.count, second.count);
                let status = one.get_directional_derivative(
                    &unknowns, count, &knowns, other, &seeds, second.size, &mut result, first.size,
                );
                (status, self.of_derivative([(&unknowns, &first), (&knowns, &second)], &seeds))
            }
            "GetAdjointDerivative" => {
                let (mut first, mut second) = (Shape::of(bytes), Shape::of(bytes));
                let unknowns = self.references(Base::Real, &mut first, bytes);
                let knowns = self.references(Base::Real, &mut second, bytes);
                let seeds = first.array(1, || bytes.real());
                let mut result = second.array(1, || f64::NAN);
                let (count, other) = (first.count, second.count);
                let status = one.get_adjoint_derivative(
                    &unknowns, count, &knowns, other, &seeds, first.size, &mut result, second.size,
                );
                (status, self.of_derivative([(&unknowns, &first), (&knowns, &second)], &seeds))
            }
            "GetNumberOfVariableDependencies" => {
                let (reference, null, mut count) = (self.dependent(bytes), bytes.one_in(16), usize::MAX);
                let status = one.get_number_of_variable_dependencies(reference, (!null).then_some(&mut count));
                self.counted = (status == OK).then_some((reference, count));
                (status, open_if(!null))
            }
            "GetVariableDependencies" => self.dependencies(bytes),
            "mechanics_linear" => self.linear(bytes),
            "mechanics_law" => self.law(bytes),
            "mechanics_sensitivity" => self.sensitivity(bytes),
            "SetRealInputDerivatives" => {
                let (shape, orders_null) = (Shape::of(bytes), bytes.one_in(16));
                let references = shape.array(0, || self.reference(Base::Real, bytes));
                let orders = order(bytes, orders_null, shape.count);
                let values = shape.array(1, || bytes.real());
                let status = one.set_real_input_derivatives(&references, shape.count, &orders, &values);
                let inputs = self.all(Base::Real, &references, |variable| variable.causality == Causality::Input);
                let wrong = shape.is_wrong() || orders_null && shape.count > 0;
                let fit = orders.slice().iter().all(|order| (1..=8).contains(order));
                (status, open_if(!wrong && inputs && fit && values.slice().iter().all(|value| value.is_finite())))
            }
            "GetRealOutputDerivatives" | "GetOutputDerivatives" => {
                let (mut shape, orders_null) = (Shape::of(bytes), bytes.one_in(16));
                let references = self.references(Base::Real, &mut shape, bytes);
                let orders = order(bytes, orders_null, shape.count);
                let mut values = shape.array(1, || f64::NAN);
                let status = one.get_output_derivatives(&references, shape.count, &orders, &mut values, shape.size);
                let outputs = self.all(Base::Real, &references, |variable| variable.causality == Causality::Output);
                let wrong = !self.fits(Base::Real, &references, &shape) || orders_null && shape.count > 0;
                (status, open_if(!wrong && outputs && orders.slice().iter().all(|order| *order == 1)))
            }
            "DoStep" => {
                // The point is mostly the end of the last step.
                let (here, point) = (!bytes.one_in(8), bytes.real());
                let point = if here { self.time.unwrap_or(point) } else { point };
                let h = if bytes.is_empty() { 0.01 } else { bytes.real() };
                let null = (one.called == Standard::Fmi3 && bytes.one_in(16)).then(|| bytes.below(4));
                let mut answers = Answers::without(null);
                let status = one.do_step(point, h, bytes.one_in(2), &mut answers);
                let mut end = point + h;
                let far = self.time.is_some_and(|time| (time - point).abs() > h);
                let wrong = !(h > 0.0 && end > point && end.is_finite()) || far || null.is_some();
                if status == OK && one.called == Standard::Fmi3 {
                    let ([is_event, ends, is_early], events) = (answers.read(), one.kind.events);
                    assert!(!ends && (events[0] || !is_event) && (events == [true; 2] || !is_early));
                    assert!(is_early == (answers.time < end) && point <= answers.time && answers.time <= end);
                    assert!(!is_early || is_event, "there is a reason");
                    end = answers.time;
                }
                self.time = (status == OK).then_some(end);
                (status, open_if(!wrong))
            }
            "CancelStep" => (one.cancel_step(), Bad),
            "GetStatus" => (one.get_status(bytes.integer(), (!bytes.one_in(8)).then_some(&mut 0)), Nothing),
            "GetIntegerStatus" => {
                (one.get_integer_status(bytes.integer(), (!bytes.one_in(8)).then_some(&mut 0)), Nothing)
            }
            "GetStringStatus" => {
                (one.get_string_status(bytes.integer(), (!bytes.one_in(8)).then_some(&mut 0)), Nothing)
            }
            "GetRealStatus" => {
                let (kind, null, mut value) = ([2, 3, bytes.integer()][bytes.below(3)], bytes.one_in(8), f64::NAN);
                let status = one.get_real_status(kind, (!null).then_some(&mut value));
                if let (OK, Some(time)) = (status, self.time) {
                    assert_eq!(value.to_bits(), time.to_bits());
                }
                (
                    status,
                    if null {
                        Bad
                    } else if kind == 2 {
                        Good
                    } else {
                        Nothing
                    },
                )
            }
            "GetBooleanStatus" => {
                let (kind, null, mut value) = ([2, 3, bytes.integer()][bytes.below(3)], bytes.one_in(8), 7);
                let status = one.get_boolean_status(kind, (!null).then_some(&mut value));
                assert!(status != OK || value == 0);
                (
                    status,
                    if null {
                        Bad
                    } else if kind == 3 {
                        Good
                    } else {
                        Nothing
                    },
                )
            }
            "EnterEventMode" => (one.enter_event_mode(), good_if(!one.kind.co_simulation || one.kind.events[0])),
            "NewDiscreteStates" | "UpdateDiscreteStates" => {
                let null = bytes.one_in(8).then(|| bytes.below(6));
                let mut answers = Answers::without(null);
                let status = one.new_discrete_states(&mut answers);
                if status == OK {
                    let [_, ends, nominals, ..] = answers.read();
                    assert!(!ends && !nominals && answers.time.is_finite(), "{}", answers.time);
                }
                (status, open_if(null.is_none()))
            }
            "EnterStepMode" => (one.enter_step_mode(), Open),
            "EnterConfigurationMode" => (one.enter_configuration_mode(), good_if(!self.rows.is_empty())),
            "ExitConfigurationMode" => (one.exit_configuration_mode(), Good),
            "EvaluateDiscreteStates" => (one.evaluate_discrete_states(), Bad),
            "ActivateModelPartition" => (one.activate_model_partition(), Bad),
            "GetNumberOfContinuousStates" => {
                let states = one.variables().states;
                self.number_of(bytes, states, Instance::get_number_of_continuous_states)
            }
            "GetNumberOfEventIndicators" => {
                let indicators = one.variables().indicators;
                self.number_of(bytes, indicators, Instance::get_number_of_event_indicators)
            }
            "EnterContinuousTimeMode" => (one.enter_continuous_time_mode(), Good),
            "CompletedIntegratorStep" => {
                let (nulls, mut answers) = ([bytes.one_in(8), bytes.one_in(8)], [UNDECIDED; 2]);
                let status = one.completed_integrator_step(bytes.one_in(2), nulls, &mut answers);
                assert!(status != OK || answers.iter().all(|answer| matches!(answer, 0 | 1)));
                (status, open_if(nulls == [false; 2]))
            }
            "SetTime" => {
                let time = if bytes.one_in(4) { self.time.unwrap_or(0.0) } else { bytes.real() };
                let same = self.time.is_some_and(|now| now.to_bits() == time.to_bits());
                let fixed = self.state == "init";
                let status = one.set_time(time);
                if status == OK {
                    self.time = Some(time);
                }
                (status, good_if(time.is_finite() && (!fixed || same)))
            }
            "SetContinuousStates" => {
                let (count, null) = self.count(bytes, one.variables().states);
                let mut next = || bytes.real();
                let states: Array<f64> =
                    if null { Array::NULL } else { (0..count).map(|_| next()).collect::<Vec<_>>().into() };
                let status = one.set_continuous_states(&states, count);
                let finite = states.slice().iter().all(|value| value.is_finite());
                let fits = count == one.variables().states && (!null || count == 0) && finite;
                (status, good_if(fits))
            }
            "GetDerivatives" | "GetContinuousStateDerivatives" => {
                self.all_states(bytes, one.variables().states, true, |it, v, n| it.get_derivatives(v, n))
            }
            "GetContinuousStates" => {
                self.all_states(bytes, one.variables().states, true, |it, v, n| it.get_continuous_states(v, n))
            }
            "GetEventIndicators" => {
                self.all_states(bytes, one.variables().indicators, true, |it, v, n| it.get_event_indicators(v, n))
            }
            "GetNominalsOfContinuousStates" => {
                self.all_states(bytes, one.variables().states, false, |it, v, n| it.get_nominals(v, n))
            }
            _ => {
                let Shape { count, .. } = Shape::of(bytes);
                (one.without_variables(function, count), good_if(count == 0))
            }
        }
    }

    /// Calls `fmi2SetupExperiment`, or a function with the same arguments.
    fn set_up(&mut self, bytes: &mut Bytes<'_>, call: impl Fn(&Instance, Experiment) -> c_int) -> (c_int, Expected) {
        let experiment = Experiment::of(bytes);
        let Experiment { start, stop_defined, stop, .. } = experiment;
        let status = call(&self.instance, experiment);
        if status == OK {
            self.time = Some(start);
        }
        (status, good_if(start.is_finite() && (!stop_defined || stop >= start)))
    }

    /// Returns the expected result of a derivative of the first variables by the second ones.
    fn of_derivative(&self, variables: [(&Array<u32>, &Shape); 2], seeds: &Array<f64>) -> Expected {
        let fit = variables.iter().all(|(references, shape)| self.fits(Base::Real, references, shape));
        open_if(fit && seeds.slice().iter().all(|seed| seed.is_finite()))
    }

    /// Returns the value reference of a variable that may have dependencies.
    fn dependent(&self, bytes: &mut Bytes<'_>) -> u32 {
        let base = [Base::Real, Base::Real, Base::Integer, Base::Boolean][bytes.below(4)];
        self.reference(base, bytes)
    }

    fn dependencies(&self, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let (reference, known) = match self.counted {
            Some((reference, count)) if !bytes.one_in(8) => (reference, Some(count)),
            _ => (self.dependent(bytes), None),
        };
        let (count, _) = self.count(bytes, known.unwrap_or(0));
        let null = bytes.one_in(8).then(|| bytes.below(4));
        fn array<T: Clone>(value: T, count: usize, is_null: bool) -> Array<T> {
            if is_null { Array::NULL } else { Array::filled(value, count) }
        }
        let mut elements = array(usize::MAX, count, null == Some(0));
        let mut independents = array(u32::MAX, count, null == Some(1));
        let mut others = array(usize::MAX, count, null == Some(2));
        let mut kinds = array(c_int::MIN, count, null == Some(3));
        let one = &self.instance;
        let status =
            one.get_variable_dependencies(reference, &mut elements, &mut independents, &mut others, &mut kinds, count);
        if status == OK {
            assert!(kinds.slice().iter().all(|kind| *kind == DEPENDENT));
            let bases = [Base::Real, Base::Integer, Base::Enumeration, Base::Boolean, Base::String];
            let find = |reference| bases.iter().find_map(|base| one.variables().find(*base, reference));
            let width = |reference| find(reference).expect("it exists").width(&self.rows);
            assert!(elements.slice().iter().all(|element| *element <= width(reference)));
            assert!(independents.slice().iter().zip(others.slice()).all(|(of, element)| *element <= width(*of)));
        }
        (status, open_if(null.is_none() || count == 0))
    }

    /// Returns one of the numbers that can be asked for.
    fn number_of(
        &self,
        bytes: &mut Bytes<'_>,
        right: usize,
        get: impl Fn(&Instance, Option<&mut usize>) -> c_int,
    ) -> (c_int, Expected) {
        let (null, mut count) = (bytes.one_in(8), usize::MAX);
        let status = get(&self.instance, (!null).then_some(&mut count));
        assert!(status != OK || count == right);
        (status, good_if(!null))
    }

    fn set_rows(&mut self, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let mut shape = Shape::of(bytes);
        let references = self.references(Base::Rows, &mut shape, bytes);
        let values = shape.array(1, || rows(bytes));
        let status = self.instance.set_rows(&references, shape.count, &values, shape.size);
        let good = self.fits(Base::Rows, &references, &shape)
            && (shape.count == 0 || matches!(self.state, "conf" | "reconf"))
            && values.slice().iter().all(|value| (1..=MAX_ROWS).contains(value));
        if status == OK {
            let all = &self.instance.variables().of[Base::Rows as usize];
            for (reference, value) in references.slice().iter().zip(values.slice()) {
                let place = all.iter().position(|rows| rows.reference == *reference).expect("it exists");
                self.rows[place] = *value;
            }
            let mut now = Array::filled(u64::MAX, shape.count);
            assert_eq!(self.instance.get_rows(&references, shape.count, &mut now, shape.count), OK);
        }
        (status, good_if(good))
    }

    fn set_debug_logging(&mut self, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let (on, code) = (bytes.one_in(2), bytes.byte());
        let (count, null) = (usize::from(code & 3), code >> 4 == 15);
        let names = [Some(c"logStatusWarning"), Some(c"logStatusDiscard"), Some(c"logStatusError"), Some(c"%n"), None];
        let categories: Vec<Option<CString>> =
            (0..count).map(|_| names[bytes.below(names.len())].map(CStr::to_owned)).collect();
        let array = if null { Array::NULL } else { pointers(&categories) };
        let status = self.instance.set_debug_logging(on, count, &array);
        let good = count == 0 || !null && categories.iter().all(Option::is_some);
        if good && status == OK {
            if count == 0 {
                self.logged = [on, on, true];
            }
            for category in categories.iter().flatten() {
                if let Some(number) = names[..3].iter().position(|name| *name == Some(category)) {
                    self.logged[number] = on;
                }
            }
        }
        (status, good_if(good))
    }

    /// Returns a value reference, mostly of a variable of the base type.
    pub(super) fn reference(&self, base: Base, bytes: &mut Bytes<'_>) -> u32 {
        let variables = &self.instance.variables().of[base as usize];
        match bytes.word() {
            0xFF00.. => u32::from_le_bytes(bytes.array()),
            _ if variables.is_empty() => 0,
            word => variables[usize::from(word) % variables.len()].reference,
        }
    }

    pub(super) fn all(&self, base: Base, references: &Array<u32>, fits: impl Fn(&Variable) -> bool) -> bool {
        references.slice().iter().all(|reference| self.instance.variables().find(base, *reference).is_some_and(&fits))
    }

    /// Returns references of variables, mostly, and their number of values, mostly.
    fn references(&self, base: Base, shape: &mut Shape, bytes: &mut Bytes<'_>) -> Array<u32> {
        let references = shape.array(0, || self.reference(base, bytes));
        if self.instance.called == Standard::Fmi3 {
            let right = self.widths(base, &references).sum();
            shape.size = self.count(bytes, right).0;
        }
        references
    }

    /// Returns the numbers of values of variables.
    fn widths(&self, base: Base, references: &Array<u32>) -> impl Iterator<Item = usize> {
        let variables = self.instance.variables();
        let width = move |reference| variables.find(base, reference).map_or(0, |variable| variable.width(&self.rows));
        references.slice().iter().map(move |reference| width(*reference))
    }

    /// Returns true if all variables exist, have as many values as there is room for, and no array is NULL.
    pub(super) fn fits(&self, base: Base, references: &Array<u32>, shape: &Shape) -> bool {
        let right: usize = self.widths(base, references).sum();
        !shape.is_wrong() && self.exist(base, references) && right == shape.size
    }

    pub(super) fn exist(&self, base: Base, references: &Array<u32>) -> bool {
        self.all(base, references, |_| true)
    }

    /// Gets values twice; both results must be equal.
    fn get<T: Clone, B: PartialEq>(
        &self,
        bytes: &mut Bytes<'_>,
        base: Base,
        unwritten: T,
        bits: impl Fn(T) -> B,
        get: Get<T>,
    ) -> (c_int, Expected) {
        let mut shape = Shape::of(bytes);
        let references = self.references(base, &mut shape, bytes);
        let mut values = shape.array(1, || unwritten.clone());
        let status = get(&self.instance, &references, shape.count, &mut values, shape.size);
        if status == OK {
            let read = |values: &Array<T>| values.slice().iter().cloned().map(&bits).collect::<Vec<_>>();
            let first = read(&values);
            assert_eq!(get(&self.instance, &references, shape.count, &mut values, shape.size), OK);
            assert!(read(&values) == first, "getting changes what is got");
        }
        let computes = !matches!(self.state, "inst" | "err");
        let good = self.fits(base, &references, &shape);
        (status, if computes { open_if(good) } else { good_if(good) })
    }

    /// Sets values; if that succeeds, they can be read back.
    fn set<T: Copy>(
        &self,
        bytes: &mut Bytes<'_>,
        (base, next, takes): BaseType<T>,
        set: impl Fn(&Instance, &Array<u32>, usize, &Array<T>, usize) -> c_int,
        (unwritten, get, is_there): ReadBack<T>,
    ) -> (c_int, Expected) {
        let mut shape = Shape::of(bytes);
        let references = self.references(base, &mut shape, bytes);
        let values = shape.array(1, || next(bytes));
        let status = set(&self.instance, &references, shape.count, &values, shape.size);
        let wrong = !self.fits(base, &references, &shape);
        let variables = || references.slice().iter().filter_map(|it| self.instance.variables().find(base, *it));
        let each = || variables().flat_map(|it| (0..it.width(&self.rows)).map(move |_| it));
        let fits = !wrong && each().zip(values.slice()).all(|(it, value)| it.settable(self.state) && takes(it, *value));
        let mut once: Vec<u32> = references.slice().to_vec();
        once.sort_unstable();
        once.dedup();
        // Values computed from states may change at once, and of several values the last one counts.
        let kept = variables().all(|it| matches!(it.causality, Causality::Parameter | Causality::Input));
        if status == OK && kept && once.len() == shape.count {
            let mut now = Array::filled(unwritten, shape.size);
            assert_eq!(get(&self.instance, &references, shape.count, &mut now, shape.size), OK);
            let there = now.slice().iter().zip(values.slice()).all(|(now, set)| is_there(*now, *set));
            assert!(there, "what was set is not there");
        }
        // A variable may always be set to its current value.
        (status, if fits { Good } else { open_if(!wrong) })
    }

    fn set_string(&self, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let mut shape = Shape::of(bytes);
        let references = self.references(Base::String, &mut shape, bytes);
        let string = |bytes: &mut Bytes<'_>| {
            let text: Vec<u8> = bytes.counted().iter().copied().filter(|byte| *byte != 0).collect();
            (!bytes.one_in(16)).then(|| CString::new(text).unwrap_or_default())
        };
        let strings: Vec<_> = (0..shape.size).map(|_| string(bytes)).collect();
        let values = if shape.nulls[1] { Array::NULL } else { pointers(&strings) };
        let status = self.instance.set_string(&references, shape.count, &values, shape.size);
        let null = !shape.nulls[1] && strings.iter().any(Option::is_none);
        let wrong = null || !self.fits(Base::String, &references, &shape);
        let fits = !wrong && self.all(Base::String, &references, |it| it.settable(self.state));
        if let (OK, 1, [Some(string)]) = (status, shape.count, &strings[..]) {
            let mut now = Array::filled(std::ptr::null(), 1);
            assert_eq!(self.instance.get_string(&references, 1, &mut now, 1), OK);
            assert_eq!(text(now.slice()[0]).unwrap(), string.to_string_lossy());
        }
        (status, if fits { Good } else { open_if(!wrong) })
    }

    /// Returns a saved state, or an invalid number.
    fn chosen(&self, bytes: &mut Bytes<'_>) -> (Option<usize>, usize) {
        match bytes.below(self.saved.len() + 2) {
            number if number < self.saved.len() => (Some(number), self.saved[number].handle),
            number if number == self.saved.len() => (None, 0),
            // The address of the instance is not that of a state.
            _ => (None, std::ptr::from_ref(self) as usize),
        }
    }

    fn with_state(&mut self, function: &str, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let (number, handle) = self.chosen(bytes);
        let null = bytes.one_in(16);
        let known = number.is_some();
        let mut place = handle;
        match function {
            "GetFMUstate" | "GetFMUState" => {
                let status = self.instance.get_fmu_state((!null).then_some(&mut place));
                if status == OK {
                    let (rows, bytes) = (self.rows.clone(), self.instance.bytes_of(place));
                    let saved = Saved { handle: place, state: self.state, time: self.time, rows, bytes };
                    match number {
                        Some(number) => {
                            assert_eq!(place, handle);
                            self.saved[number] = saved;
                        }
                        None => self.saved.push(saved),
                    }
                }
                (status, good_if(!null && (known || handle == 0)))
            }
            "SetFMUstate" | "SetFMUState" => {
                let status = self.instance.set_fmu_state(handle);
                if let (OK, Some(number)) = (status, number) {
                    let saved = self.saved[number].clone();
                    (self.state, self.time, self.rows) = (saved.state, saved.time, saved.rows);
                    assert!(self.bytes() == saved.bytes, "another state is restored than was saved");
                }
                (status, good_if(known))
            }
            "FreeFMUstate" | "FreeFMUState" => {
                let status = self.instance.free_fmu_state((!null).then_some(&mut place));
                if let (OK, Some(number), false) = (status, number, null) {
                    assert_eq!(place, 0);
                    self.saved.remove(number);
                }
                (status, good_if(null || known || handle == 0))
            }
            "SerializedFMUstateSize" | "SerializedFMUStateSize" => {
                let mut size = usize::MAX;
                let status = self.instance.serialized_fmu_state_size(handle, (!null).then_some(&mut size));
                assert!(status != OK || size == self.saved[number.unwrap()].bytes.len());
                (status, good_if(known && !null))
            }
            "SerializeFMUstate" | "SerializeFMUState" => {
                let expected = number.map(|number| self.saved[number].bytes.clone()).unwrap_or_default();
                // The buffer has too few bytes, as many as are needed, or more.
                let size = [expected.len().saturating_sub(1), expected.len(), expected.len() + 7][bytes.below(3)];
                let mut buffer = if null { Array::NULL } else { Array::filled(0xAA, size) };
                let status = self.instance.serialize_fmu_state(handle, &mut buffer, size);
                if status == OK {
                    assert!(buffer.slice().starts_with(&expected), "the state was serialised otherwise before");
                    assert!(buffer.slice()[expected.len()..].iter().all(|byte| *byte == 0xAA));
                }
                (status, good_if(known && !null && size >= expected.len()))
            }
            _ => {
                let mut given = number.map(|number| self.saved[number].bytes.clone()).unwrap_or_default();
                let intact = match bytes.byte() {
                    0..128 => true,
                    position if !given.is_empty() => {
                        let position = usize::from(position - 128) * given.len() / 128;
                        let changed = bytes.byte();
                        let same = given[position] == changed;
                        given[position] = changed;
                        same
                    }
                    _ => false,
                };
                let mut new = 0;
                let size = given.len();
                let given: Array<u8> = given.into();
                let status = self.instance.deserialize_fmu_state(&given, size, (!null).then_some(&mut new));
                if let (OK, Some(number)) = (status, number) {
                    let again = self.instance.bytes_of(new);
                    assert!(again == given.slice(), "the state is another after it was serialised");
                    self.saved.push(Saved { handle: new, ..self.saved[number].clone() });
                }
                (status, good_if(known && intact && !null))
            }
        }
    }

    /// Returns a count that is mostly right, and true if the array is NULL.
    pub(super) fn count(&self, bytes: &mut Bytes<'_>, right: usize) -> (usize, bool) {
        let code = bytes.byte();
        (if code < 224 { right } else { usize::from(code - 224) }, code % 16 == 15)
    }

    fn all_states(
        &self,
        bytes: &mut Bytes<'_>,
        right: usize,
        computes: bool,
        get: impl Fn(&Instance, &mut Array<f64>, usize) -> c_int,
    ) -> (c_int, Expected) {
        let (count, null) = self.count(bytes, right);
        let mut values = if null { Array::NULL } else { Array::filled(f64::NAN, count) };
        let status = get(&self.instance, &mut values, count);
        if status == OK {
            assert!(self.state == "err" || values.slice().iter().all(|value| !value.is_nan()), "not written");
        }
        let good = count == right && (!null || count == 0);
        (status, if computes && self.state != "err" { open_if(good) } else { good_if(good) })
    }
}

/// Returns an item of an enumeration, mostly.
fn item(bytes: &mut Bytes<'_>) -> i64 {
    if bytes.one_in(16) { i64::from_le_bytes(bytes.array()) } else { i64::from(bytes.byte() % 8) }
}

/// Returns a number of rows, mostly.
fn rows(bytes: &mut Bytes<'_>) -> u64 {
    match bytes.byte() {
        0 => MAX_ROWS + 1,
        1 => u64::MAX,
        2 => 1000,
        byte => u64::from(byte % 16),
    }
}

fn order(bytes: &mut Bytes<'_>, null: bool, count: usize) -> Array<c_int> {
    let mut next = || if bytes.one_in(4) { bytes.integer() } else { 1 };
    if null { Array::NULL } else { (0..count).map(|_| next()).collect::<Vec<_>>().into() }
}

/// Returns a string of the library, if it is not NULL.
fn text(pointer: *const c_char) -> Option<String> {
    // SAFETY: a string that lives until the next call.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_str().expect("a string is UTF-8").to_owned())
}
