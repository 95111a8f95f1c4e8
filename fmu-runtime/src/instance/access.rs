//! Getting and setting values, by the rules of the variable and of the state.

use std::ffi::CString;
use std::fmt::Display;
use std::mem::MaybeUninit;

use fmu_exchange::{Base, Number, out_of_bounds};

use crate::component::layout::Rule;
use crate::instance::arrays::{ArrayType, check_count};
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;
use crate::instance::lifecycle::State;
use crate::instance::log::c_string;
use crate::rows::values::are_finite;

impl Instance {
    /// Gets Reals as `fmi2GetReal`, if all exist and are up to date; false means that nothing was done.
    #[inline]
    pub fn try_get_cached_reals(&self, references: &[u32], values: &mut [MaybeUninit<f64>]) -> bool {
        let rules = self.layout.reals.as_slice();
        // Of the same length, so that an index is checked once.
        let count = rules.len().min(self.values.reals.len());
        let (rules, reals) = (&rules[..count], &self.values.reals[..count]);
        self.outputs_valid
            && references.iter().zip(values).all(|(reference, value)| {
                let slot = *reference as usize;
                let exists = slot < count && rules[slot].has(Rule::EXISTS);
                if exists {
                    value.write(reals[slot]);
                }
                exists
            })
    }

    /// `fmi2GetReal`
    pub fn get_real(&mut self, references: &[u32]) -> Outcome<impl Iterator<Item = f64>> {
        self.before_get(Base::Real, references)?;
        Ok(references.iter().map(|reference| self.values.reals[*reference as usize]))
    }

    /// `fmi2GetInteger`, `fmi3GetInt32`, and `fmi3GetInt64` for enumerations
    pub fn get_integer(
        &mut self,
        kind: ArrayType,
        references: &[u32],
        count: usize,
    ) -> Outcome<impl Iterator<Item = i32>> {
        let elements = self.elements_of(kind, references, count)?;
        self.before_get(Base::Integer, &elements)?;
        Ok((0..elements.len()).map(move |i| self.values.integers[Base::Integer.slot(elements[i])]))
    }

    /// `fmi2GetBoolean`, `fmi3GetBoolean`
    pub fn get_boolean(&mut self, references: &[u32], count: usize) -> Outcome<impl Iterator<Item = bool>> {
        check_count(references.len(), count)?;
        self.before_get(Base::Boolean, references)?;
        Ok(references.iter().map(|reference| self.values.booleans[Base::Boolean.slot(*reference)]))
    }

    /// `fmi2GetString`, `fmi3GetString`: the strings live until the next call of this function.
    pub fn get_string(&mut self, references: &[u32], count: usize) -> Outcome<&[CString]> {
        check_count(references.len(), count)?;
        self.before_get(Base::String, references)?;
        self.strings.clear();
        for reference in references {
            self.strings.push(c_string(&self.values.strings[Base::String.slot(*reference)]));
        }
        Ok(&self.strings)
    }

    /// Sets Reals as `fmi2SetReal`, if all are unbounded inputs or states that may be set now, and all values are
    /// finite; false means that nothing was done.
    #[inline]
    pub fn try_set_reals_fast(&mut self, references: &[u32], values: &[f64]) -> bool {
        if !self.may_set_fast(references, values) {
            return false;
        }
        let reals = self.values.reals.as_mut_slice();
        for (reference, value) in references.iter().zip(values) {
            if let Some(real) = reals.get_mut(*reference as usize) {
                *real = *value;
            }
        }
        self.outputs_valid = false;
        true
    }

    /// Returns true if all variables are unbounded inputs or states that may be set now, and all values are finite.
    #[inline(always)]
    pub(super) fn may_set_fast(&mut self, references: &[u32], values: &[f64]) -> bool {
        if self.allows_late_parameters {
            return false;
        }
        let allowed = self.settable();
        if !self.last_set.has(references, allowed) {
            if !self.are_plain(references, allowed) {
                return false;
            }
            self.last_set.remember(references, allowed);
        }
        are_finite(values)
    }

    /// Returns true if all variables, of which an array has one rule, are unbounded inputs or states with this bit.
    #[inline]
    fn are_plain(&self, references: &[u32], allowed: u16) -> bool {
        let rules = self.layout.reals.as_slice();
        let (mut all, mut any) = (allowed, 0);
        for reference in references {
            let Some(rule) = rules.get(*reference as usize) else { return false };
            all &= rule.0;
            any |= rule.0;
        }
        all != 0 && any & (Rule::BOUNDED | Rule::PARAMETER | Rule::START) == 0
    }

    /// `fmi2SetReal`, `fmi3SetFloat64`: all or nothing.
    pub fn set_real(&mut self, references: &[u32], values: &[f64]) -> Outcome {
        let references = self.elements_of(ArrayType::Float64, references, values.len())?;
        let references = references.as_ref();
        let (mut change, mut other_tables) = (Change::default(), false);
        for (reference, value) in references.iter().zip(values) {
            let is_new = self.check_real(*reference, *value)?;
            let mut rule = self.layout.reals[*reference as usize];
            // Setting elements of a table, which is tunable, repeats no initialisation.
            if rule.has(Rule::FIXED)
                && self.settable() == Rule::SET_DISCRETE
                && self.is_tunable_table(Base::Real, *reference)
            {
                rule.0 &= !Rule::FIXED;
                other_tables |= is_new;
            }
            change.add(*reference, rule, is_new);
        }
        if other_tables {
            self.data = None;
            self.forget_motion();
        }
        for (reference, value) in references.iter().zip(values) {
            self.values.reals[*reference as usize] = *value;
        }
        if change.given & Rule::START != 0 && matches!(self.state, State::Instantiated | State::Initialization) {
            let starts = &self.layout.starts;
            for (reference, value) in references.iter().zip(values) {
                if let Ok(place) = starts.binary_search_by_key(&(*reference as usize), |(slot, _)| *slot) {
                    self.values.reals[starts[place].1] = *value;
                }
            }
        }
        self.changed(Base::Real, change);
        Ok(())
    }

    /// Rejects a Real that may not be set; returns true if it differs from the current one.
    fn check_real(&self, reference: u32, value: f64) -> Outcome<bool> {
        let slot = reference as usize;
        let rule = self.layout.reals.get(slot).copied().unwrap_or(Rule(0));
        // A start value may differ from the value that it has led to.
        let has_start = rule.has(Rule::START) && rule.has(self.settable());
        if rule.has(Rule::EXISTS) && !has_start && self.values.reals[slot].to_bits() == value.to_bits() {
            return Ok(false);
        }
        self.check_settable(Base::Real, reference, rule, &Number(value))?;
        if !value.is_finite() {
            let name = self.name(Base::Real, reference);
            return Err(CallError::error(format!("\"{name}\" cannot be {}; a finite number is needed", Number(value))));
        }
        if rule.has(Rule::PARAMETER)
            && let Some(needed) = out_of_bounds(value, self.layout.real_bounds[slot])
        {
            return Err(discarded(&self.name(Base::Real, reference), &Number(value), &needed));
        }
        Ok(true)
    }

    /// `fmi2SetInteger`, `fmi3SetInt32`, and `fmi3SetInt64` for enumerations: all or nothing.
    pub fn set_integer(&mut self, kind: ArrayType, references: &[u32], values: &[i32]) -> Outcome {
        let references = self.elements_of(kind, references, values.len())?;
        let references = references.as_ref();
        let allowed = self.settable();
        let mut change = Change::default();
        for (reference, value) in references.iter().zip(values) {
            let slot = Base::Integer.slot(*reference);
            let rule = self.layout.integers.get(slot).copied().unwrap_or(Rule(0));
            let unchanged = rule.has(Rule::EXISTS) && self.values.integers[slot] == *value;
            change.add(*reference, rule, !unchanged);
            if !rule.has(allowed) && !unchanged {
                self.check_settable(Base::Integer, *reference, rule, value)?;
            }
            if let Some(needed) = out_of_bounds(*value, self.layout.integer_bounds[slot]) {
                return Err(discarded(&self.name(Base::Integer, *reference), value, &needed));
            }
        }
        for (reference, value) in references.iter().zip(values) {
            self.values.integers[Base::Integer.slot(*reference)] = *value;
        }
        self.changed(Base::Integer, change);
        Ok(())
    }

    /// `fmi2SetBoolean`, `fmi3SetBoolean`: all or nothing; any number but 0 is true.
    pub fn set_boolean(&mut self, references: &[u32], values: &[i32]) -> Outcome {
        check_count(references.len(), values.len())?;
        let allowed = self.settable();
        let mut change = Change::default();
        for (reference, value) in references.iter().zip(values) {
            let slot = Base::Boolean.slot(*reference);
            let rule = self.layout.booleans.get(slot).copied().unwrap_or(Rule(0));
            let unchanged = rule.has(Rule::EXISTS) && self.values.booleans[slot] == (*value != 0);
            change.add(*reference, rule, !unchanged);
            if !rule.has(allowed) && !unchanged {
                self.check_settable(Base::Boolean, *reference, rule, &(*value != 0))?;
            }
        }
        for (reference, value) in references.iter().zip(values) {
            self.values.booleans[Base::Boolean.slot(*reference)] = *value != 0;
        }
        self.changed(Base::Boolean, change);
        Ok(())
    }

    /// `fmi2SetString`, `fmi3SetString`: all or nothing.
    pub fn set_string(&mut self, references: &[u32], values: &[String]) -> Outcome {
        check_count(references.len(), values.len())?;
        let allowed = self.settable();
        let mut change = Change::default();
        for (reference, value) in references.iter().zip(values) {
            let slot = Base::String.slot(*reference);
            let rule = self.layout.strings.get(slot).copied().unwrap_or(Rule(0));
            let unchanged = rule.has(Rule::EXISTS) && self.values.strings[slot] == *value;
            change.add(*reference, rule, !unchanged);
            if !rule.has(allowed) && !unchanged {
                self.check_settable(Base::String, *reference, rule, &format_args!("\"{value}\""))?;
            }
        }
        for (reference, value) in references.iter().zip(values) {
            self.values.strings[Base::String.slot(*reference)].clone_from(value);
        }
        self.changed(Base::String, change);
        Ok(())
    }

    /// Checks the references and updates the computed values if one of them is requested.
    fn before_get(&mut self, base: Base, references: &[u32]) -> Outcome {
        let rules = self.rules(base);
        let (mut all, mut any) = (Rule::EXISTS, 0);
        for reference in references {
            let rule = rules.get(base.slot(*reference)).copied().unwrap_or(Rule(0));
            all &= rule.0;
            any |= rule.0;
        }
        if all & Rule::EXISTS == 0 {
            let missing =
                |reference: &&u32| !rules.get(base.slot(**reference)).is_some_and(|rule| rule.has(Rule::EXISTS));
            let reference = *references.iter().find(missing).expect("a missing one");
            return Err(unknown(base, reference));
        }
        // After a step, states are known before anything is computed from them.
        let is_asked = if self.state == State::StepComplete && self.data.is_some() {
            Rule::COMPUTED
        } else {
            Rule::COMPUTED | Rule::STATE
        };
        if any & is_asked != 0 {
            self.refresh()?;
        }
        Ok(())
    }

    fn rules(&self, base: Base) -> &[Rule] {
        match base {
            Base::Real => &self.layout.reals,
            Base::Integer => &self.layout.integers,
            Base::Boolean => &self.layout.booleans,
            Base::String => &self.layout.strings,
        }
    }

    /// Returns the bit that a rule must have for the variable to be settable now; none if no variable is.
    #[inline]
    pub(super) fn settable(&self) -> u16 {
        match self.state {
            State::Instantiated => Rule::SET_INSTANTIATED,
            State::Initialization => Rule::SET_INITIALIZATION,
            State::ContinuousTime => Rule::SET_CONTINUOUS,
            State::IntermediateUpdate => Rule::SET_INTERMEDIATE,
            State::StepComplete | State::Event => Rule::SET_DISCRETE,
            _ => 0,
        }
    }

    fn check_settable(&self, base: Base, reference: u32, rule: Rule, value: &dyn Display) -> Outcome {
        if !rule.has(Rule::EXISTS) {
            return Err(unknown(base, reference));
        }
        let allowed = self.settable();
        if rule.has(allowed) || rule.has(Rule::FIXED) && self.is_at_start() {
            return Ok(());
        }
        let is_tunable =
            rule.has(Rule::PARAMETER) && (rule.has(Rule::SET_DISCRETE) || self.is_tunable_table(base, reference));
        if is_tunable && allowed == Rule::SET_DISCRETE {
            return Ok(());
        }
        let name = self.name(base, reference);
        let why = if is_tunable {
            "it is a tunable parameter, which may be set before the simulation, between steps and in event mode only"
        } else if rule.has(Rule::PARAMETER) {
            "it is a fixed parameter, which may be set before the first step only"
        } else if rule.has(Rule::INPUT) {
            "it is a discrete input, which may be set in event mode only"
        } else if rule.has(Rule::STATE) {
            "it is a state, which the importer may set before the simulation and in continuous-time mode only"
        } else if rule.has(Rule::START) {
            "it has a start value, which may be set before the simulation only"
        } else {
            "it is computed by the FMU"
        };
        let state = self.state.name(self.standard);
        Err(CallError::error(format!("\"{name}\" cannot be set to {value} in state {state}: {why}")))
    }

    /// Invalidates computed values after values were set, of which some perhaps changed.
    fn changed(&mut self, base: Base, change: Change) {
        if change.new & Rule::FIXED != 0 {
            self.data = None;
            self.forget_motion();
        }
        if change.given & Rule::FIXED != 0 || self.allows_late_parameters {
            self.begin_late(base, &change);
        }
        if change.new != 0 {
            self.outputs_valid = false;
        }
    }

    /// Requests another initialisation, before the next use, if parameters were set after it, or inputs after these.
    #[cold]
    fn begin_late(&mut self, base: Base, change: &Change) {
        if !self.is_at_start() {
            return;
        }
        let is_event_mode = self.state == State::Event;
        self.allows_late_parameters |= is_event_mode && change.given & Rule::FIXED != 0;
        let is_needed = change.fixed.is_some() || is_event_mode && change.new & Rule::INPUT != 0;
        if is_needed && !std::mem::replace(&mut self.must_reinitialise, true) {
            self.data = None;
            self.forget_motion();
            let what = match change.fixed {
                Some(parameter) => format!("\"{}\" is", self.name(base, parameter)),
                None => "inputs are".to_owned(),
            };
            self.warn(&format!(
                "{what} set after the initialisation, which is repeated, since no step has been made yet"
            ));
        }
    }
}

/// The change that a call makes.
#[derive(Default)]
struct Change {
    /// The rules of all variables that are set.
    given: u16,
    /// The rules of those whose values are new.
    new: u16,
    /// The first fixed parameter among the latter.
    fixed: Option<u32>,
}

impl Change {
    fn add(&mut self, reference: u32, rule: Rule, is_new: bool) {
        self.given |= rule.0;
        if is_new {
            self.new |= rule.0;
            self.fixed = self.fixed.or(rule.has(Rule::FIXED).then_some(reference));
        }
    }
}

#[cold]
#[inline(never)]
fn unknown(base: Base, reference: u32) -> CallError {
    let what = match base {
        Base::Real => "Real",
        Base::Integer => "Integer or Enumeration",
        Base::Boolean => "Boolean",
        Base::String => "String",
    };
    CallError::error(format!("no {what} variable has the value reference {reference}"))
}

fn discarded(name: &str, value: &dyn Display, needed: &str) -> CallError {
    CallError::discard(format!("\"{name}\" cannot be {value}, it must be {needed}"))
}
