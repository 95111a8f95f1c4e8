//! Values in the form of FMI 3.0: an array is one variable, and its elements are a row of values.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::Arc;

use fmu_exchange::{Base, MAX_ROWS, Standard, reference};

use crate::component::layout::{Layout, Rule};
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::{Instance, integration};
use crate::instance::lifecycle::{Interface, State};
use crate::rows::values::TableShape;

impl Instance {
    /// Gets Reals as `fmi3GetFloat64`, if all exist and are up to date; false means that the values are not complete.
    #[inline]
    pub fn try_get_cached_floats(&self, references: &[u32], values: &mut [MaybeUninit<f64>]) -> bool {
        self.outputs_valid && self.copy_floats(references, values, |value, real| _ = value.write(real))
    }

    /// Copies Reals to the values, or nothing unless there are as many values as elements.
    #[inline(always)]
    fn copy_floats<T>(&self, references: &[u32], values: &mut [T], write: impl Fn(&mut T, f64)) -> bool {
        let widths = self.layout.real_widths.as_slice();
        if count_elements(widths, references) != Some(values.len()) {
            return false;
        }
        let mut rest = values;
        runs(widths, references, |run| {
            let Some(reals) = self.values.reals.get(run) else { return false };
            let Some((now, later)) = std::mem::take(&mut rest).split_at_mut_checked(reals.len()) else { return false };
            now.iter_mut().zip(reals).for_each(|(value, real)| write(value, *real));
            rest = later;
            true
        })
    }

    /// Sets Reals as `fmi3SetFloat64`, if all are unbounded inputs or states that may be set now, and all values are
    /// finite; false means that nothing was done.
    #[inline]
    pub fn try_set_floats_fast(&mut self, references: &[u32], values: &[f64]) -> bool {
        // Values beyond the elements may not exist.
        let is_whole = count_elements(self.layout.real_widths.as_slice(), references) == Some(values.len());
        if !is_whole || !self.may_set_fast(references, values) {
            return false;
        }
        let mut rest = values;
        runs(&self.layout.real_widths, references, |run| {
            let Some((now, later)) = rest.split_at_checked(run.len()) else { return false };
            let Some(reals) = self.values.reals.get_mut(run) else { return false };
            reals.iter_mut().zip(now).for_each(|(real, value)| *real = *value);
            rest = later;
            true
        });
        self.outputs_valid = false;
        true
    }

    /// `fmi3GetFloat64`; the memory for `count` values is asked for once that number is known to be right.
    pub fn get_floats<'v>(
        &mut self,
        references: &[u32],
        count: usize,
        values: impl FnOnce() -> &'v mut [f64],
    ) -> Outcome {
        check_count(self.float_count(references)?, count)?;
        let mut rest = values();
        for (i, reference) in references.iter().enumerate() {
            // The first variable has updated all computed values.
            if i == 1 && self.outputs_valid && self.copy_floats(&references[1..], rest, |value, real| *value = real) {
                return Ok(());
            }
            let found: Vec<f64> = match *reference {
                reference::TIME => vec![self.time],
                reference::EVENT_INDICATORS if self.model.indicator_count() > 0 => {
                    let mut indicators = vec![0.0; self.model.indicator_count()];
                    self.get_event_indicators(&mut indicators)?;
                    indicators
                }
                _ => {
                    let elements = self.elements(ArrayType::Float64, &[*reference])?;
                    self.get_real(&elements)?.collect()
                }
            };
            let Some((now, later)) = std::mem::take(&mut rest).split_at_mut_checked(found.len()) else { break };
            now.copy_from_slice(&found);
            rest = later;
        }
        Ok(())
    }

    /// Returns the number of values of variables of type Float64.
    pub fn float_count(&self, references: &[u32]) -> Outcome<usize> {
        let mut count = 0;
        for reference in references {
            count += match *reference {
                reference::TIME => 1,
                reference::EVENT_INDICATORS if self.model.indicator_count() > 0 => self.model.indicator_count(),
                _ => self.element_count(ArrayType::Float64, *reference)?,
            };
        }
        Ok(count)
    }

    /// `fmi3GetOutputDerivatives`: an order applies to all elements of a variable.
    pub fn get_output_derivatives(
        &mut self,
        references: &[u32],
        orders: &[i32],
        count: usize,
    ) -> Outcome<impl Iterator<Item = f64>> {
        check_references(references.len(), count)?;
        let (mut elements, mut all_orders) = (Vec::new(), Vec::new());
        for (reference, order) in references.iter().zip(orders) {
            elements.extend(self.elements(ArrayType::Float64, &[*reference])?);
            all_orders.resize(elements.len(), *order);
        }
        check_count(elements.len(), count)?;
        Ok(self.get_real_output_derivatives(&elements, &all_orders)?.collect::<Vec<_>>().into_iter())
    }

    /// `fmi3EnterConfigurationMode`, which during the simulation leads to reconfiguration mode
    pub fn enter_configuration_mode(&mut self) -> Outcome {
        if self.layout.element_count() == 0 {
            return Err(CallError::error(
                "this FMU has no structural parameters, which are the numbers of rows of its tables",
            ));
        }
        self.state = match self.state {
            State::Instantiated => State::Configuration,
            _ => State::Reconfiguration,
        };
        // Values that are up to date would be got without a look at the state.
        self.outputs_valid = false;
        Ok(())
    }

    /// `fmi3ExitConfigurationMode`
    pub fn exit_configuration_mode(&mut self) -> Outcome {
        self.state = match (self.state, self.interface) {
            (State::Configuration, _) => State::Instantiated,
            (_, Interface::CoSimulation) => State::StepComplete,
            (_, Interface::ModelExchange) => State::Event,
        };
        Ok(())
    }

    /// `fmi3GetUInt64`: numbers of rows.
    pub fn get_rows(&mut self, references: &[u32], count: usize) -> Outcome<Vec<u64>> {
        check_count(references.len(), count)?;
        references.iter().map(|reference| Ok(self.layout.tables[self.table_of(*reference)?].rows as u64)).collect()
    }

    /// `fmi3SetUInt64`: sets the numbers of rows, all or nothing. A new row repeats the last one until it is set.
    pub fn set_rows(&mut self, references: &[u32], counts: &[u64]) -> Outcome {
        check_count(references.len(), counts.len())?;
        let mut rows: Vec<_> = self.layout.row_counts().collect();
        for (reference, count) in references.iter().zip(counts) {
            let number = self.table_of(*reference)?;
            let table = &self.layout.tables[number];
            if !matches!(self.state, State::Configuration | State::Reconfiguration) {
                return Err(CallError::error(format!(
                    "the number of rows of \"{}\" can be set in configuration and reconfiguration mode only, not in state {}",
                    table.name,
                    self.state.name(self.standard)
                )));
            }
            if !(1..=MAX_ROWS).contains(count) {
                return Err(CallError::error(format!(
                    "\"{}\" must have from 1 to {MAX_ROWS} rows, not {count}",
                    table.name
                )));
            }
            rows[number] = *count as usize;
        }
        self.resize(&rows);
        Ok(())
    }

    /// Gives the tables other numbers of rows.
    pub(super) fn resize(&mut self, rows: &[usize]) {
        let (layout, indices) = self.layout.resized(rows);
        self.values.reals = indices.iter().map(|index| self.values.reals[*index]).collect();
        self.take_layout(layout.into());
    }

    /// Gives the tables the configured numbers of rows; their elements must be set again.
    pub(super) fn restore_rows(&mut self) {
        if !Arc::ptr_eq(&self.layout, &self.own_layout) {
            self.values = self.own_layout.start.clone();
            self.take_layout(self.own_layout.clone());
        }
    }

    /// Takes another layout; the values that fit it are the caller's.
    pub(super) fn take_layout(&mut self, layout: Arc<Layout>) {
        self.layout = layout;
        // Prepared data may come with a saved state, so nothing else makes them.
        self.scratch.integration = integration(self.interface, &*self.model, &self.layout);
        self.data = None;
        self.forget_motion();
        self.outputs_valid = false;
        self.history.clear();
        self.dependency_analysis = OnceCell::new();
    }

    /// Returns true if a variable is an element of a table of FMI 3.0: as their numbers of rows, these are tunable.
    pub(super) fn is_tunable_table(&self, base: Base, reference: u32) -> bool {
        let slot = base.slot(reference);
        self.standard == Standard::Fmi3
            && base == Base::Real
            && self.layout.tables.iter().any(|table| table.elements(0).contains(&slot))
    }

    /// Returns the number of the table whose number of rows a structural parameter is.
    fn table_of(&self, reference: u32) -> Outcome<usize> {
        let number = reference.wrapping_sub(reference::ROWS) as usize;
        let exists = self.layout.tables.get(number).is_some_and(|table| table.rows > 0);
        let unknown = || CallError::error(format!("no UInt64 variable has the value reference {reference}"));
        exists.then_some(number).ok_or_else(unknown)
    }

    /// Rejects calls for types of which there are no variables.
    pub fn no_variables(&self, kind: &str, references: usize) -> Outcome {
        if references == 0 {
            return Ok(());
        }
        Err(CallError::error(format!("this FMU has no {kind} variables")))
    }

    /// Returns the elements of variables that have `count` values; in FMI 2.0 these are the variables.
    pub(crate) fn elements_of<'r>(
        &self,
        kind: ArrayType,
        references: &'r [u32],
        count: usize,
    ) -> Outcome<Cow<'r, [u32]>> {
        if self.standard == Standard::Fmi2 {
            return Ok(Cow::Borrowed(references));
        }
        check_references(references.len(), count)?;
        let elements = self.elements(kind, references)?;
        check_count(elements.len(), count)?;
        Ok(Cow::Owned(elements))
    }

    /// Returns the elements of variables, by their value references of FMI 2.0.
    pub fn elements(&self, kind: ArrayType, references: &[u32]) -> Outcome<Vec<u32>> {
        let base = kind.base();
        let mut elements = Vec::with_capacity(references.len());
        for reference in references {
            match self.table(kind, *reference) {
                Some(table) => elements.extend(table.elements(0).map(|slot| base.reference(slot))),
                None => elements.extend(*reference..*reference + self.width(kind, *reference)?),
            }
        }
        Ok(elements)
    }

    /// Returns the number of elements of a variable.
    fn element_count(&self, kind: ArrayType, reference: u32) -> Outcome<usize> {
        match self.table(kind, reference) {
            Some(table) => Ok(table.elements(0).len()),
            None => Ok(self.width(kind, reference)? as usize),
        }
    }

    /// Returns the table that a value reference means.
    fn table(&self, kind: ArrayType, reference: u32) -> Option<&TableShape> {
        let table = self.layout.tables.get(reference.wrapping_sub(reference::TABLES) as usize);
        table.filter(|table| kind == ArrayType::Float64 && table.rows > 0)
    }

    /// Returns the number of elements of a variable that is not a table.
    fn width(&self, kind: ArrayType, reference: u32) -> Outcome<u32> {
        let layout = &self.layout;
        let (widths, rules) = match kind {
            ArrayType::Float64 => (&layout.real_widths, &layout.reals),
            ArrayType::Int32 | ArrayType::Enumeration => (&layout.integer_widths, &layout.integers),
        };
        let slot = kind.base().slot(reference);
        let width = widths.get(slot).copied().unwrap_or(0);
        let is_right = |rule: &Rule| rule.has(Rule::ENUMERATION) == (kind == ArrayType::Enumeration);
        if width > 0 && rules.get(slot).is_some_and(is_right) { Ok(width) } else { Err(unknown(kind, reference)) }
    }
}

/// Returns the number of elements of Reals, or none if one does not exist: an element inside an array is not a
/// variable.
#[inline(always)]
fn count_elements(widths: &[u32], references: &[u32]) -> Option<usize> {
    let width = |reference: &u32| widths.get(*reference as usize).map_or(0, |width| *width as usize);
    references.iter().map(width).try_fold(0, |sum, width| (width > 0).then_some(sum + width))
}

/// Calls a function with the elements of arrays, those that follow one another in one run; returns false if a variable
/// does not exist, or if the function returns false.
#[inline(always)]
fn runs(widths: &[u32], references: &[u32], mut each: impl FnMut(Range<usize>) -> bool) -> bool {
    let mut run = 0..0;
    for reference in references {
        let slot = *reference as usize;
        let width = widths.get(slot).map_or(0, |width| *width as usize);
        if width == 0 {
            return false;
        }
        if slot != run.end {
            if !each(run) {
                return false;
            }
            run = slot..slot;
        }
        run.end += width;
    }
    each(run)
}

/// The types of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayType {
    /// Float64.
    Float64,
    /// Int32.
    Int32,
    /// Enumeration, whose values are of the type Int64.
    Enumeration,
}

impl ArrayType {
    /// Returns the base type of the values in FMI 2.0.
    fn base(self) -> Base {
        match self {
            Self::Float64 => Base::Real,
            Self::Int32 | Self::Enumeration => Base::Integer,
        }
    }
}

/// Refuses more variables than values, since each variable has one at least.
pub fn check_references(references: usize, values: usize) -> Outcome {
    if references <= values {
        return Ok(());
    }
    Err(CallError::error(format!("there are {values} values, but {references} variables")))
}

/// Refuses another number of values than the variables have.
pub fn check_count(needed: usize, given: usize) -> Outcome {
    if needed == given {
        return Ok(());
    }
    Err(CallError::error(format!("there are {given} values, but the variables have {needed}")))
}

#[cold]
fn unknown(kind: ArrayType, reference: u32) -> CallError {
    let own = match reference {
        reference::TIME => Some("\"time\" is the independent variable: it cannot be set and has no derivatives"),
        reference::EVENT_INDICATORS => Some("event indicators can be read only"),
        _ => None,
    };
    let own = own.map(str::to_owned);
    CallError::error(own.unwrap_or_else(|| format!("no {kind:?} variable has the value reference {reference}")))
}
