//! One Co-Simulation instance over the raw binding, the only file here with `unsafe`.
//!
//! The `fmi` crate's own instance has no way to set input derivatives, takes no more unknowns than knowns
//! in a directional derivative, and keeps its pointers to itself; validation uses it all the same, as an
//! importer of another hand. Errors of all calls are what the FMU said of them.

use std::ffi::CString;
use std::marker::PhantomData;

use anyhow::{Context, Result, bail};
use fmi::fmi2::binding::{self, Fmi2Binding};
use fmi::fmi2::{CallbackFunctions, import::Fmi2Import, schema::Fmi2ModelDescription};
use fmi::traits::FmiImport;

use crate::load::messages;
use crate::values::value::Value;

/// An instance, alive as long as the unpacked archive.
pub struct Slave<'a> {
    component: binding::fmi2Component,
    binding: &'a Fmi2Binding,
    _callbacks: Box<CallbackFunctions>,
    _import: PhantomData<&'a Fmi2Import>,
}

/// A saved FMU state of an instance.
pub struct Saved<'s, 'a> {
    state: binding::fmi2FMUstate,
    slave: &'s Slave<'a>,
}

/// Loads the library for Co-Simulation.
pub fn load(import: &Fmi2Import) -> Result<Fmi2Binding> {
    let model = import.model_description();
    let Some(cosimulation) = &model.co_simulation else {
        bail!("{} offers no Co-Simulation", model.model_name);
    };
    let identifier = &cosimulation.model_identifier;
    import.binding(identifier).with_context(|| format!("the FMU holds no library of {identifier} for this machine"))
}

impl<'a> Slave<'a> {
    /// An instance of the library that was loaded from the same archive.
    pub fn instantiate(import: &'a Fmi2Import, binding: &'a Fmi2Binding) -> Result<Self> {
        messages::listen();
        let model = import.model_description();
        let callbacks = Box::<CallbackFunctions>::default();
        let name = CString::new(model.model_name.as_bytes())?;
        let guid = CString::new(model.guid.as_bytes())?;
        let resources = CString::new(import.canonical_resource_path_string())?;
        // SAFETY: the strings live through the call, the callbacks as long as the instance; they
        // have the layout of fmi2CallbackFunctions.
        let component = unsafe {
            binding.fmi2Instantiate(
                name.as_ptr(),
                binding::fmi2Type_fmi2CoSimulation,
                guid.as_ptr(),
                resources.as_ptr(),
                (&raw const *callbacks).cast(),
                0,
                1,
            )
        };
        if component.is_null() {
            bail!("fmi2Instantiate failed: {}", messages::said("fmi2Instantiate"));
        }
        let slave = Self { component, binding, _callbacks: callbacks, _import: PhantomData };
        slave.silence(&chatter(model))?;
        Ok(slave)
    }

    /// Switches off categories of log messages.
    fn silence(&self, categories: &[CString]) -> Result<()> {
        // No category at all would mean all of them.
        if categories.is_empty() {
            return Ok(());
        }
        let pointers: Vec<_> = categories.iter().map(|category| category.as_ptr()).collect();
        // SAFETY: the instance is alive; the array has the length that is passed, and its texts
        // live through the call.
        let status = unsafe { self.binding.fmi2SetDebugLogging(self.component, 0, pointers.len(), pointers.as_ptr()) };
        check("fmi2SetDebugLogging", status)
    }

    /// Initialises: start values, then inputs, then the solution at the start time.
    pub fn initialise<'v>(
        &self,
        (start, stop): (f64, f64),
        tolerance: Option<f64>,
        starts: impl IntoIterator<Item = (u32, &'v Value)>,
    ) -> Result<()> {
        // SAFETY: the instance is alive; the same holds for all calls below.
        let status = unsafe {
            self.binding.fmi2SetupExperiment(
                self.component,
                tolerance.is_some().into(),
                tolerance.unwrap_or_default(),
                start,
                1,
                stop,
            )
        };
        check("fmi2SetupExperiment", status)?;
        for (reference, value) in starts {
            self.set(reference, value)?;
        }
        // SAFETY: as above.
        let status = unsafe { self.binding.fmi2EnterInitializationMode(self.component) };
        check("fmi2EnterInitializationMode", status)
    }

    /// Ends the initialisation.
    pub fn exit_initialisation(&self) -> Result<()> {
        // SAFETY: the instance is alive.
        let status = unsafe { self.binding.fmi2ExitInitializationMode(self.component) };
        check("fmi2ExitInitializationMode", status)
    }

    /// Sets a variable.
    pub fn set(&self, reference: u32, value: &Value) -> Result<()> {
        let references = &raw const reference;
        match value {
            Value::Real(value) => {
                // SAFETY: one reference, one value; the same holds for the other types.
                let status = unsafe { (self.binding).fmi2SetReal(self.component, references, 1, value) };
                check("fmi2SetReal", status)
            }
            Value::Integer(value) => {
                // SAFETY: as above.
                let status = unsafe { (self.binding).fmi2SetInteger(self.component, references, 1, value) };
                check("fmi2SetInteger", status)
            }
            Value::Boolean(value) => {
                let value = i32::from(*value);
                // SAFETY: as above.
                let status = unsafe { (self.binding).fmi2SetBoolean(self.component, references, 1, &value) };
                check("fmi2SetBoolean", status)
            }
            Value::String(value) => {
                let text = CString::new(value.as_bytes())?;
                let pointer = text.as_ptr();
                // SAFETY: as above; the text lives through the call.
                let status = unsafe { (self.binding).fmi2SetString(self.component, references, 1, &pointer) };
                check("fmi2SetString", status)
            }
        }
    }

    /// Sets Reals.
    pub fn set_reals(&self, references: &[u32], values: &[f64]) -> Result<()> {
        assert_eq!(references.len(), values.len());
        // SAFETY: both slices have the length that is passed.
        let status =
            unsafe { self.binding.fmi2SetReal(self.component, references.as_ptr(), references.len(), values.as_ptr()) };
        check("fmi2SetReal", status)
    }

    /// Sets the first time derivatives of inputs for the next step.
    pub fn set_slopes(&self, references: &[u32], slopes: &[f64]) -> Result<()> {
        assert_eq!(references.len(), slopes.len());
        let orders = vec![1; references.len()];
        // SAFETY: all slices have the length that is passed.
        let status = unsafe {
            self.binding.fmi2SetRealInputDerivatives(
                self.component,
                references.as_ptr(),
                references.len(),
                orders.as_ptr(),
                slopes.as_ptr(),
            )
        };
        check("fmi2SetRealInputDerivatives", status)
    }

    /// Gets Reals into `values`.
    pub fn get_reals(&self, references: &[u32], values: &mut [f64]) -> Result<()> {
        assert_eq!(references.len(), values.len());
        // SAFETY: both slices have the length that is passed.
        let status = unsafe {
            self.binding.fmi2GetReal(self.component, references.as_ptr(), references.len(), values.as_mut_ptr())
        };
        check("fmi2GetReal", status)
    }

    /// Gets Integers into `values`.
    pub fn get_integers(&self, references: &[u32], values: &mut [i32]) -> Result<()> {
        assert_eq!(references.len(), values.len());
        // SAFETY: both slices have the length that is passed.
        let status = unsafe {
            self.binding.fmi2GetInteger(self.component, references.as_ptr(), references.len(), values.as_mut_ptr())
        };
        check("fmi2GetInteger", status)
    }

    /// Gets Booleans into `values`.
    pub fn get_booleans(&self, references: &[u32], values: &mut [i32]) -> Result<()> {
        assert_eq!(references.len(), values.len());
        // SAFETY: both slices have the length that is passed; fmi2Boolean is an int.
        let status = unsafe {
            self.binding.fmi2GetBoolean(self.component, references.as_ptr(), references.len(), values.as_mut_ptr())
        };
        check("fmi2GetBoolean", status)
    }

    /// The derivatives of `unknowns` along `seeds` of the `knowns`.
    pub fn directional_derivative(
        &self,
        unknowns: &[u32],
        (knowns, seeds): (&[u32], &[f64]),
        result: &mut [f64],
    ) -> Result<()> {
        assert_eq!((unknowns.len(), knowns.len()), (result.len(), seeds.len()));
        // SAFETY: the slices have the lengths that are passed.
        let status = unsafe {
            self.binding.fmi2GetDirectionalDerivative(
                self.component,
                unknowns.as_ptr(),
                unknowns.len(),
                knowns.as_ptr(),
                knowns.len(),
                seeds.as_ptr(),
                result.as_mut_ptr(),
            )
        };
        check("fmi2GetDirectionalDerivative", status)
    }

    /// Saves the FMU state.
    pub fn save(&self) -> Result<Saved<'_, 'a>> {
        let mut saved = Saved { state: std::ptr::null_mut(), slave: self };
        saved.update()?;
        Ok(saved)
    }

    /// Makes a step from `time` on.
    pub fn do_step(&self, time: f64, step: f64) -> Result<()> {
        // SAFETY: the instance is alive.
        let status = unsafe { self.binding.fmi2DoStep(self.component, time, step, 1) };
        check("fmi2DoStep", status)
    }

    /// Ends the simulation.
    pub fn terminate(&self) -> Result<()> {
        // SAFETY: the instance is alive.
        let status = unsafe { self.binding.fmi2Terminate(self.component) };
        check("fmi2Terminate", status)
    }
}

impl Saved<'_, '_> {
    /// Replaces it by the present FMU state.
    pub fn update(&mut self) -> Result<()> {
        // SAFETY: the instance is alive; the state is NULL or one of its own.
        let status = unsafe { self.slave.binding.fmi2GetFMUstate(self.slave.component, &mut self.state) };
        check("fmi2GetFMUstate", status)
    }

    /// Brings the instance back to it.
    pub fn restore(&self) -> Result<()> {
        // SAFETY: the instance is alive, and the state is its own.
        let status = unsafe { self.slave.binding.fmi2SetFMUstate(self.slave.component, self.state) };
        check("fmi2SetFMUstate", status)
    }
}

impl Drop for Saved<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: the instance is alive; NULL is ignored.
        unsafe { self.slave.binding.fmi2FreeFMUstate(self.slave.component, &mut self.state) };
    }
}

impl Drop for Slave<'_> {
    fn drop(&mut self) {
        // SAFETY: made by fmi2Instantiate, freed only here, before the library is unloaded.
        unsafe { self.binding.fmi2FreeInstance(self.component) }
    }
}

/// Whether a message with status OK can only be a warning, once the other categories are off.
pub fn warns(model: &Fmi2ModelDescription) -> bool {
    categories(model).any(|name| name == "logStatusWarning")
}

/// The categories of what is neither a warning nor an error.
fn chatter(model: &Fmi2ModelDescription) -> Vec<CString> {
    let names = categories(model).filter(|name| !name.starts_with("logStatus"));
    names.filter_map(|name| CString::new(name).ok()).collect()
}

fn categories(model: &Fmi2ModelDescription) -> impl Iterator<Item = &str> {
    model.log_categories.iter().flat_map(|list| &list.categories).map(|category| category.name.as_str())
}

/// A warning lets the computation go on; its message is collected like any other.
fn check(call: &str, status: binding::fmi2Status) -> Result<()> {
    let name = match status {
        binding::fmi2Status_fmi2OK | binding::fmi2Status_fmi2Warning => return Ok(()),
        binding::fmi2Status_fmi2Discard => "fmi2Discard",
        binding::fmi2Status_fmi2Error => "fmi2Error",
        binding::fmi2Status_fmi2Fatal => "fmi2Fatal",
        binding::fmi2Status_fmi2Pending => "fmi2Pending",
        _ => "an unknown status",
    };
    bail!("{call} returned {name}: {}", messages::said(call))
}
