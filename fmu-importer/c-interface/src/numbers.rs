//! The numbers of FMI 3.0, whose types each have functions of their own.

use std::ffi::{c_int, c_uint, c_void};

use crate::functions::{MISSING, Status};
use crate::instance::CInstance;
use crate::standard::Functions;

/// The types of whole numbers of FMI 3.0.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerType {
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
}

/// `fmi3Get…` of a type.
type Get<T> = unsafe extern "C" fn(*mut c_void, *const c_uint, usize, *mut T, usize) -> c_int;
/// `fmi3Set…` of a type.
type Set<T> = unsafe extern "C" fn(*mut c_void, *const c_uint, usize, *const T, usize) -> c_int;

macro_rules! each_type {
    ($kind:expr, $functions:ident, $do:ident, $($type:ident $get:ident $set:ident,)*) => {
        match $kind { $(IntegerType::$type => $do!($functions, $get, $set),)* }
    };
}

macro_rules! by_type {
    ($kind:expr, $functions:ident, $do:ident) => {
        each_type! { $kind, $functions, $do,
            Int8 fmi3GetInt8 fmi3SetInt8,
            UInt8 fmi3GetUInt8 fmi3SetUInt8,
            Int16 fmi3GetInt16 fmi3SetInt16,
            UInt16 fmi3GetUInt16 fmi3SetUInt16,
            Int32 fmi3GetInt32 fmi3SetInt32,
            UInt32 fmi3GetUInt32 fmi3SetUInt32,
            Int64 fmi3GetInt64 fmi3SetInt64,
            UInt64 fmi3GetUInt64 fmi3SetUInt64,
        }
    };
}

impl CInstance {
    /// `fmi3GetFloat32`
    pub fn get_floats_32(&self, vr: &[u32], size: usize) -> (Status, Vec<f32>) {
        let Functions::Fmi3(functions) = &self.api.0 else { return (MISSING.into(), Vec::new()) };
        self.got(functions.fmi3GetFloat32, vr, vec![f32::NAN; size])
    }

    /// `fmi3SetFloat32`
    pub fn set_floats_32(&self, vr: &[u32], values: &[f32]) -> Status {
        let Functions::Fmi3(functions) = &self.api.0 else { return MISSING.into() };
        self.set_by(functions.fmi3SetFloat32, vr, values)
    }

    /// `fmi3GetInt8` to `fmi3GetUInt64`; an array of FMI 3.0 has several of the `size` values.
    pub fn get_integers(&self, kind: IntegerType, vr: &[u32], size: usize) -> (Status, Vec<i128>) {
        let Functions::Fmi3(functions) = &self.api.0 else { return (MISSING.into(), Vec::new()) };
        macro_rules! get {
            ($of:ident, $get:ident, $set:ident) => {{
                let (status, values) = self.got($of.$get, vr, vec![0; size]);
                (status, values.into_iter().map(i128::from).collect())
            }};
        }
        by_type!(kind, functions, get)
    }

    /// `fmi3SetInt8` to `fmi3SetUInt64`
    ///
    /// # Panics
    ///
    /// When a value is not of the type.
    pub fn set_integers(&self, kind: IntegerType, vr: &[u32], values: &[i128]) -> Status {
        let Functions::Fmi3(functions) = &self.api.0 else { return MISSING.into() };
        macro_rules! set {
            ($of:ident, $get:ident, $set:ident) => {{
                let typed = |value: &i128| (*value).try_into().expect("a value of the type");
                self.set_by($of.$set, vr, &values.iter().map(typed).collect::<Vec<_>>())
            }};
        }
        by_type!(kind, functions, set)
    }

    fn got<T>(&self, get: Get<T>, vr: &[u32], mut values: Vec<T>) -> (Status, Vec<T>) {
        // SAFETY: the instance lives, and the arrays have the length given.
        let status = unsafe { get(self.component, vr.as_ptr(), vr.len(), values.as_mut_ptr(), values.len()) };
        (status.into(), values)
    }

    fn set_by<T>(&self, set: Set<T>, vr: &[u32], values: &[T]) -> Status {
        // SAFETY: as for getting.
        unsafe { set(self.component, vr.as_ptr(), vr.len(), values.as_ptr(), values.len()) }.into()
    }
}
