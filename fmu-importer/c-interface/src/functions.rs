//! Tables of the functions of a library, one for each standard.

use std::ffi::c_int;
use std::ptr;

/// `fmi2Status`, and `fmi3Status`, which has no "pending"
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok,
    Warning,
    Discard,
    Error,
    Fatal,
    Pending,
    /// A number that is not a status.
    Unknown,
    /// The library or its standard does not have the function.
    Missing,
}

/// Status returned by the stub of a missing function.
pub(crate) const MISSING: c_int = c_int::MIN;

impl From<c_int> for Status {
    fn from(status: c_int) -> Self {
        match status {
            0 => Self::Ok,
            1 => Self::Warning,
            2 => Self::Discard,
            3 => Self::Error,
            4 => Self::Fatal,
            5 => Self::Pending,
            MISSING => Self::Missing,
            _ => Self::Unknown,
        }
    }
}

/// A null value of an argument: NULL, zero, or a count of its own.
pub(crate) trait Null {
    fn null(count: usize) -> Self;
}

impl<T> Null for *const T {
    fn null(_: usize) -> Self {
        ptr::null()
    }
}

impl<T> Null for *mut T {
    fn null(_: usize) -> Self {
        ptr::null_mut()
    }
}

impl Null for usize {
    fn null(count: usize) -> Self {
        count
    }
}

macro_rules! zero {
    ($($number:ty)*) => {$(
        impl Null for $number {
            fn null(_: usize) -> Self {
                Self::default()
            }
        }
    )*};
}

zero! { u8 i32 u32 f64 }

/// The functions of a standard, with those that this project adds to it, and their names.
macro_rules! functions {
    (
        $Functions:ident
        others { $($other:ident($($other_type:ty),*) $(-> $result:ty)?;)* }
        status { $($name:ident($($type:ty),*);)* }
        beside { $($beside:ident($($beside_type:ty),* $(,)?);)* }
    ) => {
        /// The functions of a library, as they are in C.
        #[allow(non_snake_case, missing_docs)]
        pub struct $Functions {
            $(pub(crate) $other: unsafe extern "C" fn($($other_type),*) $(-> $result)?,)*
            $(pub $name: unsafe extern "C" fn(*mut c_void $(, $type)*) -> c_int,)*
            $(pub $beside: unsafe extern "C" fn(*mut c_void $(, $beside_type)*) -> c_int,)*
            /// The names of status functions that the library does not have.
            pub(crate) missing: Vec<&'static str>,
            /// The names of functions beside those of FMI that the library has.
            pub(crate) beside: Vec<&'static str>,
            // The library is dropped after its functions.
            _library: $crate::standard::Library,
        }

        /// The functions that return no status.
        pub const OTHERS: &[&str] = &[$(stringify!($other)),*];
        /// The functions that take an instance and return a status.
        pub const STATUS_FUNCTIONS: &[&str] = &[$(stringify!($name)),*];
        /// Functions that take an instance and return a status beside those of FMI, which only FMUs of this project
        /// have.
        pub const BESIDE: &[&str] = &[$(stringify!($beside)),*];

        impl $Functions {
            /// Finds the functions by their names; keeps the library as long as them.
            pub(crate) fn resolve<E>(
                library: $crate::standard::Library,
                find: impl Fn(&str) -> Result<*const (), E>,
            ) -> Result<Self, E> {
                use std::mem::transmute;
                let mut missing = Vec::new();
                let mut beside = Vec::new();
                // SAFETY: the types are those of the headers of FMI.
                unsafe {
                    Ok(Self {
                        $($other: transmute::<*const (), unsafe extern "C" fn($($other_type),*) $(-> $result)?>(
                            find(stringify!($other))?
                        ),)*
                        $($name: match find(stringify!($name)) {
                            Ok(function) => transmute::<*const (), unsafe extern "C" fn(*mut c_void $(, $type)*) -> c_int>(function),
                            Err(_) => {
                                missing.push(stringify!($name));
                                unsafe extern "C" fn absent(_: *mut c_void $(, _: $type)*) -> c_int {
                                    $crate::functions::MISSING
                                }
                                absent
                            }
                        },)*
                        $($beside: match find(stringify!($beside)) {
                            Ok(function) => {
                                beside.push(stringify!($beside));
                                transmute::<*const (), unsafe extern "C" fn(*mut c_void $(, $beside_type)*) -> c_int>(function)
                            }
                            Err(_) => {
                                unsafe extern "C" fn absent(_: *mut c_void $(, _: $beside_type)*) -> c_int {
                                    $crate::functions::MISSING
                                }
                                absent
                            }
                        },)*
                        missing,
                        beside,
                        _library: library,
                    })
                }
            }

            pub(crate) fn call_with_nulls(&self, function: &str, component: *mut c_void, count: usize) -> c_int {
                // SAFETY: FMI lets an importer pass NULL; it must be refused and not be followed.
                unsafe {
                    match function {
                        $(stringify!($name) => (self.$name)(component $(, <$type>::null(count))*),)*
                        $(stringify!($beside) => (self.$beside)(component $(, <$beside_type>::null(count))*),)*
                        _ => panic!("{function} is no function that returns a status"),
                    }
                }
            }
        }
    };
}

pub(crate) use functions;
