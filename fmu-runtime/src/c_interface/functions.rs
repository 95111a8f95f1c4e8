//! The table of the C functions of a standard.

/// Makes the functions of a standard. Its arguments are the module of the rows, the name of the macro that makes their C
/// functions, and one row for each function, which says:
///
/// - whether the function is inlined into the component's library: `fast_path` names a function for the ordinary case, which
///   alone is inlined; `special_case` names one for a case of its own, which returns the status;
/// - its name here, and its arguments besides the component;
/// - FMI's name;
/// - what it does.
///
/// The C functions of [`export!`](crate::export!) follow from the same rows.
macro_rules! calls {
    ($module:ident, $shims:ident, $(
        $how:ident $(($fast_path:ident))? $function:ident($($argument:ident: $type:ty),*) = $call:ident
            |$instance:ident| $body:block
    )*) => {
        $(call! {
            $how $(($fast_path))? $function($($argument: $type),*) = $call |$instance| $body
        })*

        /// Returns the C function of this name, if it has a row, for a program that the runtime is linked into.
        pub(super) fn function(name: &str) -> Option<*const ()> {
            Some(match name {
                $(stringify!($call) => {
                    unsafe extern "C" fn linked(component: *mut c_void $(, $argument: $type)*) -> c_int {
                        // SAFETY: the arguments are passed on.
                        unsafe { $function(component $(, $argument)*) }
                    }
                    linked as *const ()
                })*
                _ => return None,
            })
        }

        /// The C functions that have a row; a part of [`export!`](crate::export!).
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $shims {
            () => {$(
                #[unsafe(no_mangle)]
                unsafe extern "C" fn $call(component: *mut c_void $(, $argument: $type)*) -> c_int {
                    // SAFETY: the arguments are passed on.
                    unsafe { $module::$function(component $(, $argument)*) }
                }
            )*};
        }
    };
}

macro_rules! call {
    (outlined $function:ident($($argument:ident: $type:ty),*) = $call:ident |$instance:ident| $body:block) => {
        #[doc = concat!("`", stringify!($call), "`")]
        #[allow(unused_variables)]
        #[inline(never)]
        pub unsafe fn $function(component: *mut c_void $(, $argument: $type)*) -> c_int {
            // SAFETY: the arguments are what FMI promises, see above.
            unsafe { run(component, Call::$call, &mut |$instance| $body) }
        }
    };
    (inlined $function:ident($($argument:ident: $type:ty),*) = $call:ident |$instance:ident| $body:block) => {
        #[doc = concat!("`", stringify!($call), "`")]
        #[allow(unused_variables)]
        #[inline]
        pub unsafe fn $function(component: *mut c_void $(, $argument: $type)*) -> c_int {
            // SAFETY: the arguments are what FMI promises, see above.
            unsafe { run_inlined(component, Call::$call, |$instance| $body) }
        }
    };
    (special_case($special:ident) $function:ident($($argument:ident: $type:ty),*) = $call:ident |$instance:ident| $body:block) => {
        #[doc = concat!("`", stringify!($call), "`")]
        #[allow(unused_variables)]
        #[inline]
        pub unsafe fn $function(component: *mut c_void $(, $argument: $type)*) -> c_int {
            // SAFETY: the arguments are what FMI promises, see above.
            unsafe {
                if let Some(status) = $special(component $(, $argument)*) { return status }
                run_inlined(component, Call::$call, |$instance| $body)
            }
        }
    };
    (fast_path($fast_path:ident) $function:ident($($argument:ident: $type:ty),*) = $call:ident |$instance:ident| $body:block) => {
        #[doc = concat!("`", stringify!($call), "`")]
        #[inline]
        pub unsafe fn $function(component: *mut c_void $(, $argument: $type)*) -> c_int {
            call! { outlined otherwise($($argument: $type),*) = $call |$instance| $body }
            // SAFETY: the arguments are passed on.
            unsafe {
                if $fast_path(component $(, $argument)*) { Status::Ok as c_int } else { otherwise(component $(, $argument)*) }
            }
        }
    };
}
