//! Texts that only declarations contain: libraries of FMUs with `--small` and for WebAssembly leave these to an ordinary one.

/// True if the library can declare its component.
pub const DECLARES: bool = !cfg!(fmu_no_declaration);

/// Returns a text that only declarations contain; it is empty in a library that makes none.
pub const fn declared(text: &'static str) -> &'static str {
    if DECLARES { text } else { "" }
}
