//! An instance, and its functions that take or give more than arrays.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::ManuallyDrop;
use std::{hint, ptr};

use crate::fmi2::Callbacks;
use crate::log::{Message, messages_to, react, react_no_more};
use crate::variables::Variables;
use crate::{Api, Standard, Status};

/// Handle of an FMU state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FmuState(pub(crate) *mut c_void);

impl FmuState {
    /// The null handle, which means no state.
    pub const NULL: Self = Self(ptr::null_mut());

    /// Makes a handle that no library gave.
    pub fn dangling_for_test(address: usize) -> Self {
        Self(ptr::without_provenance_mut(address))
    }
}

/// A dependency of an element of a variable on an element of another variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dependency {
    /// Number of the element that depends.
    pub element: usize,
    /// Value reference of the variable on which it depends.
    pub independent: u32,
    /// Number of the element of that variable.
    pub independent_element: usize,
    /// `fmi3DependencyKind`
    pub kind: i32,
}

/// An instance, freed when it is dropped.
pub struct CInstance {
    pub(crate) api: Api,
    pub(crate) component: *mut c_void,
    pub(crate) environment: usize,
    pub(crate) _callbacks: Option<Box<Callbacks>>,
}

// SAFETY: FMI lets successive calls on an instance come from different threads.
unsafe impl Send for CInstance {}

impl Drop for CInstance {
    fn drop(&mut self) {
        // SAFETY: the library made it, and it is freed once; NULL is ignored.
        unsafe { (self.api.0.free())(self.component) };
        messages_to(self.environment);
    }
}

impl CInstance {
    /// Returns the standard of the instance.
    pub fn standard(&self) -> Standard {
        self.api.standard()
    }

    /// Returns what the functions know as the instance.
    pub fn component(&self) -> *mut c_void {
        self.component
    }

    /// Takes the messages logged so far.
    pub fn messages(&self) -> Vec<Message> {
        messages_to(self.environment)
    }

    /// `fmi2SetDebugLogging` or `fmi3SetDebugLogging`
    pub fn set_debug_logging(&self, on: bool, categories: &[&str]) -> Status {
        let categories: Vec<_> = categories.iter().map(|name| CString::new(*name).expect("no zero inside")).collect();
        let pointers: Vec<_> = categories.iter().map(|name| name.as_ptr()).collect();
        self.set_debug_logging_of(on, &pointers)
    }

    /// `fmi2GetString` or `fmi3GetString`
    pub fn get_string(&self, vr: &(impl Variables + ?Sized)) -> (Status, Vec<Option<String>>) {
        self.get_string_read_after(vr, || ())
    }

    /// `fmi2GetString` or `fmi3GetString`, where the strings are not read before something else was done, which must not
    /// get strings.
    pub fn get_string_read_after(
        &self,
        vr: &(impl Variables + ?Sized),
        something: impl FnOnce(),
    ) -> (Status, Vec<Option<String>>) {
        let (status, pointers) = self.get_c_strings(vr);
        something();
        // SAFETY: not written, or strings that live until this is called on this instance again.
        let text = |pointer: *const c_char| (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) });
        let owned = |pointer| text(pointer).map(|text| text.to_string_lossy().into_owned());
        (status, pointers.into_iter().map(owned).collect())
    }

    /// `fmi2FreeInstance` or `fmi3FreeInstance`; returns the messages logged then.
    pub fn free(self) -> Vec<Message> {
        let fmi = ManuallyDrop::new(self);
        fmi.messages();
        // SAFETY: the library made it, and it is not used again; nor is what is taken out of it.
        let api = unsafe {
            (fmi.api.0.free())(fmi.component);
            ptr::read(&fmi.api)
        };
        drop(api);
        messages_to(fmi.environment)
    }

    /// `fmi2FreeInstance` or `fmi3FreeInstance` too early: the instance is still used, and freed again when it is dropped. Only the libraries
    /// of this project allow that.
    pub fn free_too_early(&self) {
        // SAFETY: these libraries refuse calls with an instance that was freed.
        unsafe { (self.api.0.free())(self.component) };
    }

    /// Lets the logger free the instance at the first message about an unknown category; returns all messages.
    pub fn free_while_logging(mut self, unknown: &str) -> Vec<Message> {
        let (free, component) = (self.api.0.free(), self.component);
        let freed = Cell::new(false);
        react(move |_| {
            if !freed.replace(true) {
                // SAFETY: the library made it, and it is not used again.
                unsafe { free(component) };
            }
        });
        self.set_debug_logging(true, &[unknown]);
        react_no_more();
        self.component = ptr::null_mut();
        messages_to(self.environment)
    }

    /// `fmi3GetNumberOfVariableDependencies` and `fmi3GetVariableDependencies`
    pub fn dependencies(&self, dependent: u32) -> (Status, Vec<Dependency>) {
        let (status, count) = self.number_of_variable_dependencies(dependent);
        if status != Status::Ok {
            return (status, Vec::new());
        }
        let (status, (elements, independents, independent_elements, kinds)) = self.dependency_arrays(dependent, count);
        let one = |i: usize| Dependency {
            element: elements[i],
            independent: independents[i],
            independent_element: independent_elements[i],
            kind: kinds[i],
        };
        (status, (0..count).map(one).collect())
    }

    /// Gives the library back without freeing the instance.
    pub fn abandon(self) {
        let fmi = ManuallyDrop::new(self);
        // SAFETY: it is not used again.
        drop(unsafe { ptr::read(&fmi.api) });
    }

    /// `fmi2SetString` or `fmi3SetString`; `None` stands for NULL.
    pub fn set_string(&self, vr: &[u32], values: &[Option<&[u8]>]) -> Status {
        let mut values: Vec<_> = values.iter().map(|value| value.map(|value| [value, b"\0"].concat())).collect();
        let pointers: Vec<_> =
            values.iter().map(|value| value.as_ref().map_or(ptr::null(), |v| v.as_ptr().cast())).collect();
        let status = self.set_c_strings(vr, &pointers);
        // A library that kept a pointer to a value will notice this.
        values.iter_mut().flatten().for_each(|value| value.fill(b'!'));
        hint::black_box(&values);
        status
    }
}
