//! One call with arguments from the bytes, and its result by the standard.

use std::ffi::{CStr, CString, c_char, c_int};

use fmu_builder::description::Causality;

use super::{Expected, Modelled, Saved};
use crate::bytes::Bytes;
use crate::instance::{Array, OK, UNWRITTEN, pointers};
use crate::variables::{Base, Variable};
use Expected::{Bad, Good, Nothing, Open};

/// A count, and whether its two arrays are NULL.
struct Shape {
    count: usize,
    nulls: [bool; 2],
}

impl Shape {
    fn of(bytes: &mut Bytes<'_>) -> Self {
        let code = bytes.byte();
        Self { count: usize::from(code & 7), nulls: [code >> 3 & 7 == 7, code >> 6 == 3] }
    }

    /// Whether an array with elements is NULL.
    fn is_wrong(&self) -> bool {
        self.count > 0 && self.nulls.contains(&true)
    }

    fn array<T>(&self, number: usize, mut next: impl FnMut() -> T) -> Array<T> {
        if self.nulls[number] { Array::NULL } else { (0..self.count).map(|_| next()).collect::<Vec<_>>().into() }
    }
}

fn good_if(good: bool) -> Expected {
    if good { Good } else { Bad }
}

fn open_if(open: bool) -> Expected {
    if open { Open } else { Bad }
}

/// A base type, the source of its values, and which of them a variable accepts.
type BaseType<T> = (Base, fn(&mut Bytes<'_>) -> T, fn(&Variable, T) -> bool);

impl Modelled {
    /// Calls a function.
    pub(super) fn invoke(&mut self, function: &str, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let one = &self.instance;
        match function {
            "SetDebugLogging" => self.set_debug_logging(bytes),
            "SetupExperiment" => {
                let (tolerance, start) = (bytes.real(), bytes.real());
                let (tolerance_defined, stop_defined) = (bytes.one_in(2), bytes.one_in(4));
                let stop = bytes.real();
                let status = one.setup_experiment(tolerance_defined, tolerance, start, stop_defined, stop);
                if status == OK {
                    self.time = Some(start);
                }
                (status, good_if(start.is_finite() && (!stop_defined || stop >= start)))
            }
            "EnterInitializationMode" => (one.enter_initialization_mode(), Good),
            "ExitInitializationMode" => (one.exit_initialization_mode(), Open),
            "Terminate" => (one.terminate(), Good),
            "Reset" => {
                let status = one.reset();
                if status == OK {
                    self.time = Some(0.0);
                }
                (status, Good)
            }
            "GetReal" => self.get(bytes, Base::Real, f64::NAN, f64::to_bits, |it, r, n, v| it.get_real(r, n, v)),
            "GetInteger" => self.get(bytes, Base::Integer, 0, |v| v, |it, r, n, v| it.get_integer(r, n, v)),
            "GetBoolean" => self.get(bytes, Base::Boolean, 7, |v| v, |it, r, n, v| it.get_boolean(r, n, v)),
            "GetString" => {
                let none: *const c_char = std::ptr::null();
                self.get(bytes, Base::String, none, text, |it, r, n, v| it.get_string(r, n, v))
            }
            "SetReal" => self.set(
                bytes,
                (Base::Real, |bytes| bytes.real(), Variable::takes_real),
                |it, r, n, v| it.set_real(r, n, v),
                |it, r, n, v| {
                    let mut now = Array::filled(f64::NAN, n);
                    assert_eq!(it.get_real(r, n, &mut now), OK);
                    now.slice().iter().zip(v).all(|(now, set)| now.to_bits() == set.to_bits())
                },
            ),
            "SetInteger" => self.set(
                bytes,
                (Base::Integer, |bytes| bytes.integer(), Variable::takes_integer),
                |it, r, n, v| it.set_integer(r, n, v),
                |it, r, n, v| {
                    let mut now = Array::filled(i32::MIN, n);
                    assert_eq!(it.get_integer(r, n, &mut now), OK);
                    now.slice() == v
                },
            ),
            "SetBoolean" => self.set(
                bytes,
                (Base::Boolean, |bytes| bytes.integer(), |_, _| true),
                |it, r, n, v| it.set_boolean(r, n, v),
                |it, r, n, v| {
                    let mut now = Array::filled(7, n);
                    assert_eq!(it.get_boolean(r, n, &mut now), OK);
                    now.slice().iter().zip(v).all(|(now, set)| *now == c_int::from(*set != 0))
                },
            ),
            "SetString" => self.set_string(bytes),
            "GetFMUstate"
            | "SetFMUstate"
            | "FreeFMUstate"
            | "SerializedFMUstateSize"
            | "SerializeFMUstate"
            | "DeSerializeFMUstate" => self.with_state(function, bytes),
            "GetDirectionalDerivative" => {
                let (first, second) = (Shape::of(bytes), Shape::of(bytes));
                let unknowns = first.array(0, || self.reference(Base::Real, bytes));
                let knowns = second.array(0, || self.reference(Base::Real, bytes));
                let seeds = second.array(1, || bytes.real());
                let mut result = first.array(1, || f64::NAN);
                let status =
                    one.get_directional_derivative(&unknowns, first.count, &knowns, second.count, &seeds, &mut result);
                let exist = |references: &Array<u32>| self.exist(Base::Real, references);
                let finite = seeds.slice().iter().all(|seed| seed.is_finite());
                let wrong = first.is_wrong() || second.is_wrong();
                (status, open_if(!wrong && exist(&unknowns) && exist(&knowns) && finite))
            }
            "mechanics_linear" => self.linear(bytes),
            "mechanics_law" => self.law(bytes),
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
            "GetRealOutputDerivatives" => {
                let (shape, orders_null) = (Shape::of(bytes), bytes.one_in(16));
                let references = shape.array(0, || self.reference(Base::Real, bytes));
                let orders = order(bytes, orders_null, shape.count);
                let mut values = shape.array(1, || f64::NAN);
                let status = one.get_real_output_derivatives(&references, shape.count, &orders, &mut values);
                let outputs = self.all(Base::Real, &references, |variable| variable.causality == Causality::Output);
                let wrong = shape.is_wrong() || orders_null && shape.count > 0;
                (status, open_if(!wrong && outputs && orders.slice().iter().all(|order| *order == 1)))
            }
            "DoStep" => {
                // Mostly the end of the last step.
                let (here, point) = (!bytes.one_in(8), bytes.real());
                let point = if here { self.time.unwrap_or(point) } else { point };
                let h = if bytes.is_empty() { 0.01 } else { bytes.real() };
                let status = one.do_step(point, h, bytes.one_in(2));
                let end = point + h;
                let far = self.time.is_some_and(|time| (time - point).abs() > h);
                let wrong = !(h > 0.0 && end > point && end.is_finite()) || far;
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
            "EnterEventMode" => (one.enter_event_mode(), Good),
            "NewDiscreteStates" => {
                let (null, mut info) = (bytes.one_in(8), UNWRITTEN);
                let status = one.new_discrete_states((!null).then_some(&mut info));
                let flags = [
                    info.new_discrete_states_needed,
                    info.terminate_simulation,
                    info.nominals_of_continuous_states_changed,
                    info.values_of_continuous_states_changed,
                    info.next_event_time_defined,
                ];
                let written = flags.iter().all(|flag| matches!(flag, 0 | 1));
                assert!(
                    status != OK || written && info.next_event_time.is_finite(),
                    "{flags:?} {}",
                    info.next_event_time
                );
                (status, open_if(!null))
            }
            "EnterContinuousTimeMode" => (one.enter_continuous_time_mode(), Good),
            "CompletedIntegratorStep" => {
                let (first, second, mut answers) = (bytes.one_in(8), bytes.one_in(8), [7; 2]);
                let [event, end] = &mut answers;
                let (event, end) = ((!first).then_some(event), (!second).then_some(end));
                let status = one.completed_integrator_step(bytes.one_in(2), event, end);
                assert!(status != OK || answers.iter().all(|answer| matches!(answer, 0 | 1)));
                (status, open_if(!first && !second))
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
                let (count, null) = self.count(bytes, one.prepared.variables.states);
                let mut next = || bytes.real();
                let states: Array<f64> =
                    if null { Array::NULL } else { (0..count).map(|_| next()).collect::<Vec<_>>().into() };
                let status = one.set_continuous_states(&states, count);
                let finite = states.slice().iter().all(|value| value.is_finite());
                let fits = count == one.prepared.variables.states && (!null || count == 0) && finite;
                (status, good_if(fits))
            }
            "GetDerivatives" => {
                self.all_states(bytes, one.prepared.variables.states, true, |it, v, n| it.get_derivatives(v, n))
            }
            "GetContinuousStates" => {
                self.all_states(bytes, one.prepared.variables.states, true, |it, v, n| it.get_continuous_states(v, n))
            }
            "GetEventIndicators" => self
                .all_states(bytes, one.prepared.variables.indicators, true, |it, v, n| it.get_event_indicators(v, n)),
            "GetNominalsOfContinuousStates" => {
                self.all_states(bytes, one.prepared.variables.states, false, |it, v, n| it.get_nominals(v, n))
            }
            _ => unreachable!("{function}"),
        }
    }

    /// `mechanics_linear`: zeros are set, the outputs are those then, and columns are derivatives.
    fn linear(&self, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let one = &self.instance;
        let (first, second) = (Shape::of(bytes), Shape::of(bytes));
        let outputs = first.array(0, || self.reference(Base::Real, bytes));
        let inputs = second.array(0, || self.reference(Base::Real, bytes));
        let (rows, columns) = (first.count, second.count);
        let of = |count: usize, null: bool| if null { Array::NULL } else { Array::filled(f64::NAN, count) };
        let (mut factors, mut rest) = (of(rows * columns, second.nulls[1]), of(rows, first.nulls[1]));
        let status = one.linear(&outputs, rows, &inputs, columns, &mut factors, &mut rest);
        if status == OK {
            let real = |references: &Array<u32>| {
                let mut values = Array::filled(f64::NAN, references.slice().len());
                assert_eq!(one.get_real(references, values.slice().len(), &mut values), OK);
                values
            };
            assert!(real(&inputs).slice().iter().all(|value| *value == 0.0), "the inputs are not zero");
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(real(&outputs).slice()), bits(rest.slice()), "the outputs are others");
            for column in 0..columns {
                let known = vec![inputs.slice()[column]].into();
                let mut derivatives = Array::filled(f64::NAN, rows);
                let seed = Array::filled(1.0, 1);
                assert_eq!(one.get_directional_derivative(&outputs, rows, &known, 1, &seed, &mut derivatives), OK);
                let found = (0..rows).map(|row| factors.slice()[row * columns + column]);
                let same = found.clone().zip(derivatives.slice()).all(|(a, b)| a.to_bits() == b.to_bits());
                // The joint has a matrix of its own, which is compared in `tests/tests/linear_form.rs`.
                let is_joint = one.prepared.description.component == "JointUPS";
                assert!(same || is_joint && found.clone().all(|a| !a.is_nan()), "{factors:?}");
            }
        }
        let exist = |references: &Array<u32>| self.exist(Base::Real, references);
        (status, open_if(!first.is_wrong() && !second.is_wrong() && exist(&outputs) && exist(&inputs)))
    }

    /// `mechanics_law`: changes nothing, and gives the same again.
    fn law(&self, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let one = &self.instance;
        let [arguments, results] = (one.prepared.model)().law_sizes();
        let ((given, no_arguments), (asked, no_results)) = (self.count(bytes, arguments), self.count(bytes, results));
        let (branch, along) = (bytes.integer(), bytes.one_in(2));
        let mut numbers = |null: bool| -> Array<f64> {
            if null { Array::NULL } else { (0..given).map(|_| bytes.real()).collect::<Vec<_>>().into() }
        };
        let u = numbers(no_arguments);
        let direction = numbers(!along);
        let mut y = if no_results { Array::NULL } else { Array::filled(f64::NAN, asked) };
        let before = self.bytes();
        let status = one.law(branch, &u, &direction, given, &mut y, asked);
        if status == OK {
            assert!(self.bytes() == before, "the law changes the state");
            let first = y.clone();
            assert_eq!(one.law(branch, &u, &direction, given, &mut y, asked), OK);
            let bits = |values: &Array<f64>| values.slice().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&first), bits(&y));
        }
        let null = no_arguments && given > 0 || no_results && asked > 0;
        let finite = u.slice().iter().chain(direction.slice()).all(|number| number.is_finite());
        (status, open_if(results > 0 && [given, asked] == [arguments, results] && !null && finite))
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

    /// A value reference: of a variable of the base type, mostly.
    fn reference(&self, base: Base, bytes: &mut Bytes<'_>) -> u32 {
        let variables = &self.instance.prepared.variables.of[base as usize];
        match bytes.word() {
            0xFF00.. => u32::from_le_bytes(bytes.array()),
            _ if variables.is_empty() => 0,
            word => variables[usize::from(word) % variables.len()].reference,
        }
    }

    fn all(&self, base: Base, references: &Array<u32>, fits: impl Fn(&Variable) -> bool) -> bool {
        references
            .slice()
            .iter()
            .all(|reference| self.instance.prepared.variables.find(base, *reference).is_some_and(&fits))
    }

    fn exist(&self, base: Base, references: &Array<u32>) -> bool {
        self.all(base, references, |_| true)
    }

    /// Gets values twice; both results must be equal.
    fn get<T: Clone, B: PartialEq>(
        &self,
        bytes: &mut Bytes<'_>,
        base: Base,
        unwritten: T,
        bits: impl Fn(T) -> B,
        get: impl Fn(&crate::instance::Instance, &Array<u32>, usize, &mut Array<T>) -> c_int,
    ) -> (c_int, Expected) {
        let shape = Shape::of(bytes);
        let references = shape.array(0, || self.reference(base, bytes));
        let mut values = shape.array(1, || unwritten.clone());
        let status = get(&self.instance, &references, shape.count, &mut values);
        if status == OK {
            let read = |values: &Array<T>| values.slice().iter().cloned().map(&bits).collect::<Vec<_>>();
            let first = read(&values);
            assert_eq!(get(&self.instance, &references, shape.count, &mut values), OK);
            assert!(read(&values) == first, "getting changes what is got");
        }
        let computes = !matches!(self.state, "inst" | "err");
        let good = !shape.is_wrong() && self.exist(base, &references);
        (status, if computes { open_if(good) } else { good_if(good) })
    }

    /// Sets values; if that succeeds, they can be read back.
    fn set<T: Copy>(
        &self,
        bytes: &mut Bytes<'_>,
        (base, next, takes): BaseType<T>,
        set: impl Fn(&crate::instance::Instance, &Array<u32>, usize, &Array<T>) -> c_int,
        is_there: impl Fn(&crate::instance::Instance, &Array<u32>, usize, &[T]) -> bool,
    ) -> (c_int, Expected) {
        let shape = Shape::of(bytes);
        let references = shape.array(0, || self.reference(base, bytes));
        let values = shape.array(1, || next(bytes));
        let status = set(&self.instance, &references, shape.count, &values);
        let wrong = shape.is_wrong() || !self.exist(base, &references);
        let fits = !wrong
            && references.slice().iter().zip(values.slice()).all(|(reference, value)| {
                self.instance
                    .prepared
                    .variables
                    .find(base, *reference)
                    .is_some_and(|it| it.settable(self.state) && takes(it, *value))
            });
        let mut once: Vec<u32> = references.slice().to_vec();
        once.sort_unstable();
        once.dedup();
        // Values computed from states may change at once, and of several values the last one counts.
        let kept = self.all(base, &references, |it| matches!(it.causality, Causality::Parameter | Causality::Input));
        if status == OK && kept && once.len() == shape.count {
            assert!(is_there(&self.instance, &references, shape.count, values.slice()), "what was set is not there");
        }
        // A variable may always be set to its current value.
        (status, if fits { Good } else { open_if(!wrong) })
    }

    fn set_string(&self, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let shape = Shape::of(bytes);
        let references = shape.array(0, || self.reference(Base::String, bytes));
        let string = |bytes: &mut Bytes<'_>| {
            let text: Vec<u8> = bytes.counted().iter().copied().filter(|byte| *byte != 0).collect();
            (!bytes.one_in(16)).then(|| CString::new(text).unwrap_or_default())
        };
        let strings: Vec<_> = (0..shape.count).map(|_| string(bytes)).collect();
        let values = if shape.nulls[1] { Array::NULL } else { pointers(&strings) };
        let status = self.instance.set_string(&references, shape.count, &values);
        let null = !shape.nulls[1] && strings.iter().any(Option::is_none);
        let wrong = shape.is_wrong() || null || !self.exist(Base::String, &references);
        let fits = !wrong && self.all(Base::String, &references, |it| it.settable(self.state));
        if let (OK, 1, [Some(string)]) = (status, shape.count, &strings[..]) {
            let mut now = Array::filled(std::ptr::null(), 1);
            assert_eq!(self.instance.get_string(&references, 1, &mut now), OK);
            assert_eq!(text(now.slice()[0]).unwrap(), string.to_string_lossy());
        }
        (status, if fits { Good } else { open_if(!wrong) })
    }

    /// A saved state, or an invalid number.
    fn chosen(&self, bytes: &mut Bytes<'_>) -> (Option<usize>, usize) {
        match bytes.below(self.saved.len() + 2) {
            number if number < self.saved.len() => (Some(number), self.saved[number].handle),
            number if number == self.saved.len() => (None, 0),
            // Its own address is not that of a state.
            _ => (None, std::ptr::from_ref(self) as usize),
        }
    }

    fn with_state(&mut self, function: &str, bytes: &mut Bytes<'_>) -> (c_int, Expected) {
        let (number, handle) = self.chosen(bytes);
        let null = bytes.one_in(16);
        let known = number.is_some();
        let mut place = handle;
        match function {
            "GetFMUstate" => {
                let status = self.instance.get_fmu_state((!null).then_some(&mut place));
                if status == OK {
                    let saved =
                        Saved { handle: place, state: self.state, time: self.time, bytes: self.serialized(place) };
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
            "SetFMUstate" => {
                let status = self.instance.set_fmu_state(handle);
                if let (OK, Some(number)) = (status, number) {
                    let saved = self.saved[number].clone();
                    (self.state, self.time) = (saved.state, saved.time);
                    assert!(self.bytes() == saved.bytes, "another state is restored than was saved");
                }
                (status, good_if(known))
            }
            "FreeFMUstate" => {
                let status = self.instance.free_fmu_state((!null).then_some(&mut place));
                if let (OK, Some(number), false) = (status, number, null) {
                    assert_eq!(place, 0);
                    self.saved.remove(number);
                }
                (status, good_if(null || known || handle == 0))
            }
            "SerializedFMUstateSize" => {
                let mut size = usize::MAX;
                let status = self.instance.serialized_fmu_state_size(handle, (!null).then_some(&mut size));
                assert!(status != OK || size == self.saved[number.unwrap()].bytes.len());
                (status, good_if(known && !null))
            }
            "SerializeFMUstate" => {
                let expected = number.map(|number| self.saved[number].bytes.clone()).unwrap_or_default();
                // Too few bytes, as many as are needed, or more.
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
                    assert!(self.serialized(new) == given.slice(), "the state is another after it was serialised");
                    self.saved.push(Saved { handle: new, ..self.saved[number].clone() });
                }
                (status, good_if(known && intact && !null))
            }
        }
    }

    /// A count that is mostly right, and whether the array is NULL.
    fn count(&self, bytes: &mut Bytes<'_>, right: usize) -> (usize, bool) {
        let code = bytes.byte();
        (if code < 224 { right } else { usize::from(code - 224) }, code % 16 == 15)
    }

    fn all_states(
        &self,
        bytes: &mut Bytes<'_>,
        right: usize,
        computes: bool,
        get: impl Fn(&crate::instance::Instance, &mut Array<f64>, usize) -> c_int,
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

fn order(bytes: &mut Bytes<'_>, null: bool, count: usize) -> Array<c_int> {
    let mut next = || if bytes.one_in(4) { bytes.integer() } else { 1 };
    if null { Array::NULL } else { (0..count).map(|_| next()).collect::<Vec<_>>().into() }
}

/// What a string of the library says, if it is not NULL.
fn text(pointer: *const c_char) -> Option<String> {
    // SAFETY: a string that lives until the next call.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_str().expect("a string is UTF-8").to_owned())
}
