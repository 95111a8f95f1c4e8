//! The logger of FMI 2.0, which in C has any number of arguments: its message is a format of `printf`.
//!
//! Stable Rust calls such functions but cannot define them. So the function that libraries get is a few instructions, which
//! hand the further arguments to [`log`] in the form that `vsnprintf` takes, the `va_list` of the platform. On a platform
//! that is not listed here messages stay as they are written in the format.

use std::ffi::{c_char, c_int, c_void};

use crate::log::log;

/// `fmi2CallbackLogger`
pub(crate) type Variadic = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);
/// The logger's type without the arguments behind the format.
#[cfg(not(target_family = "wasm"))]
type Plain = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char);

/// Returns the logger for FMI 2.0.
#[cfg(target_family = "wasm")]
pub(crate) fn logger() -> Variadic {
    type Whole = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, *mut c_void);
    // SAFETY: in WebAssembly, a pointer to the arguments behind the format is one more argument.
    unsafe { std::mem::transmute::<Whole, Variadic>(log) }
}

/// Returns the logger for FMI 2.0.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn logger() -> Variadic {
    // SAFETY: on the ABIs in use a variadic function gets the arguments before the dots just as a plain one. Where it
    // looks for the others is written below for each ABI.
    unsafe { std::mem::transmute::<Plain, Variadic>(entry) }
}

/// The logger on System V: six registers for integers, of which the sixth is the first behind the format, eight for
/// numbers.
#[cfg(all(target_arch = "x86_64", unix))]
#[unsafe(naked)]
unsafe extern "C" fn entry(_: *mut c_void, _: *const c_char, _: c_int, _: *const c_char, _: *const c_char) {
    std::arch::naked_asm!(
        // The va_list has 24 bytes, the registers have 176; with the return address a multiple of 16.
        "sub rsp, 200",
        "mov [rsp + 24 + 40], r9",
        "movups [rsp + 24 + 48], xmm0",
        "movups [rsp + 24 + 64], xmm1",
        "movups [rsp + 24 + 80], xmm2",
        "movups [rsp + 24 + 96], xmm3",
        "movups [rsp + 24 + 112], xmm4",
        "movups [rsp + 24 + 128], xmm5",
        "movups [rsp + 24 + 144], xmm6",
        "movups [rsp + 24 + 160], xmm7",
        // Offsets behind the five named integers and before the first number.
        "mov dword ptr [rsp], 40",
        "mov dword ptr [rsp + 4], 48",
        "lea rax, [rsp + 208]",
        "mov [rsp + 8], rax",
        "lea rax, [rsp + 24]",
        "mov [rsp + 16], rax",
        "mov r9, rsp",
        "call {log}",
        "add rsp, 200",
        "ret",
        log = sym log,
    )
}

/// The logger on Windows: four registers, then the stack with the format and the arguments behind it.
#[cfg(all(target_arch = "x86_64", windows))]
#[unsafe(naked)]
unsafe extern "C" fn entry(_: *mut c_void, _: *const c_char, _: c_int, _: *const c_char, _: *const c_char) {
    std::arch::naked_asm!(
        // Room for the registers of the callee, and its two arguments on the stack.
        "sub rsp, 56",
        "mov rax, [rsp + 56 + 40]",
        "mov [rsp + 32], rax",
        "lea rax, [rsp + 56 + 48]",
        "mov [rsp + 40], rax",
        "call {log}",
        "add rsp, 56",
        "ret",
        log = sym log,
    )
}

/// The logger on Apple: the arguments behind the format are on the stack.
#[cfg(all(target_arch = "aarch64", target_vendor = "apple"))]
#[unsafe(naked)]
unsafe extern "C" fn entry(_: *mut c_void, _: *const c_char, _: c_int, _: *const c_char, _: *const c_char) {
    std::arch::naked_asm!("mov x5, sp", "b {log}", log = sym log)
}

/// The logger by the procedure call standard of Arm: eight registers each for integers and numbers.
#[cfg(all(target_arch = "aarch64", unix, not(target_vendor = "apple")))]
#[unsafe(naked)]
unsafe extern "C" fn entry(_: *mut c_void, _: *const c_char, _: c_int, _: *const c_char, _: *const c_char) {
    std::arch::naked_asm!(
        // Frame and return address, the va_list of 32 bytes, 32 bytes of integers, 128 bytes of numbers.
        "stp x29, x30, [sp, #-208]!",
        "mov x29, sp",
        "stp x5, x6, [sp, #56]",
        "str x7, [sp, #72]",
        "stp q0, q1, [sp, #80]",
        "stp q2, q3, [sp, #112]",
        "stp q4, q5, [sp, #144]",
        "stp q6, q7, [sp, #176]",
        "add x9, sp, #208",
        "str x9, [sp, #16]",
        "add x9, sp, #80",
        "str x9, [sp, #24]",
        "add x9, sp, #208",
        "str x9, [sp, #32]",
        // The first arguments are so far below the ends.
        "mov w9, #-24",
        "str w9, [sp, #40]",
        "mov w9, #-128",
        "str w9, [sp, #44]",
        "add x5, sp, #16",
        "bl {log}",
        "ldp x29, x30, [sp], #208",
        "ret",
        log = sym log,
    )
}

/// The logger elsewhere, where the further arguments are not found.
#[cfg(not(any(
    all(target_arch = "x86_64", any(unix, windows)),
    all(target_arch = "aarch64", unix),
    target_family = "wasm"
)))]
unsafe extern "C" fn entry(
    environment: *mut c_void,
    name: *const c_char,
    status: c_int,
    category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: as the library calls it.
    unsafe { log(environment, name, status, category, message, std::ptr::null_mut()) }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;
    use crate::format::MAX_LENGTH;
    use crate::log::messages_to;

    #[test]
    fn messages_are_formatted_with_their_arguments() {
        let log = logger();
        let environment = ptr::without_provenance_mut(0x10);
        let text = c"text".as_ptr();
        // SAFETY: the arguments are what the formats ask for.
        unsafe {
            log(environment, text, 1, text, c"%s: mass is %g kg, %d %%".as_ptr(), c"body".as_ptr(), 2.5_f64, -7);
            log(environment, text, 1, text, c"%d %d %d %d %d %ld %ld".as_ptr(), 1, 2, 3, 4, 5, 6_i64, 7_i64);
            let format = c"%g %d %g %g %g %g %g %g %g %g %s %g";
            let (f, g) = (|i: i32| f64::from(i) + 0.5, c"end".as_ptr());
            log(
                environment,
                text,
                1,
                text,
                format.as_ptr(),
                f(1),
                2,
                f(3),
                f(4),
                f(5),
                f(6),
                f(7),
                f(8),
                f(9),
                f(10),
                g,
                f(12),
            );
            log(environment, text, 1, text, c"100 %% plain".as_ptr());
            log(environment, text, 1, text, c"%d%n".as_ptr(), 1, ptr::null_mut::<c_int>());
            log(environment, text, 1, ptr::null(), c"%0*d|%-8.3f|%x".as_ptr(), 4, 42, 1.0_f64, 255);
            log(environment, text, 1, ptr::null(), ptr::null());
        }
        let texts: Vec<_> = messages_to(0x10).into_iter().map(|message| message.formatted).collect();
        assert_eq!(
            texts,
            [
                "body: mass is 2.5 kg, -7 %",
                "1 2 3 4 5 6 7",
                "1.5 2 3.5 4.5 5.5 6.5 7.5 8.5 9.5 10.5 end 12.5",
                "100 % plain",
                "%d%n",
                "0042|1.000   |ff",
                "",
            ]
        );
    }

    #[test]
    fn long_messages_are_cut() {
        let long = std::ffi::CString::new("x".repeat(2 * MAX_LENGTH)).unwrap();
        // SAFETY: the argument is what the format asks for.
        unsafe {
            logger()(ptr::without_provenance_mut(0x11), ptr::null(), 1, ptr::null(), c"%s".as_ptr(), long.as_ptr())
        };
        assert_eq!(messages_to(0x11)[0].formatted.len(), MAX_LENGTH - 1);
    }
}
