//! `--target` with missing tools, or with what they cannot make: reported before anything is compiled.

#![cfg(unix)]

use std::process::Command;

/// Returns the output of `cargo xtask build bushing` on a computer that has a Rust compiler and nothing else.
fn refused(targets: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let rustup = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    let sysroot = String::from_utf8(rustup.stdout).unwrap();
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.args(["build", "bushing", "--out"]).arg(folder.path()).args(targets);
    xtask.env("PATH", folder.path()).env("CARGO", env!("CARGO"));
    xtask.env("RUSTC", std::path::Path::new(sysroot.trim_end()).join("bin/rustc"));
    let output = xtask.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(!said.contains("Compiling") && !said.contains("compiling for"), "{said}");
    assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 0);
    said
}

#[test]
fn a_missing_linker_is_named_with_what_installs_it() {
    let install = if cfg!(target_os = "macos") { "brew" } else { "apt-get" };
    for targets in [&["--target", "win64"][..], &["--target", "linux64", "--target", "x86_64-pc-windows-gnu"]] {
        let said = refused(targets);
        assert!(said.starts_with("error: tools for these platforms are missing:\n"), "{said}");
        let expected = format!("\n  the linker x86_64-w64-mingw32-gcc: {install} install ");
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn an_unknown_platform_is_told_the_nearest() {
    let said = refused(&["--target", "win46"]);
    assert!(said.starts_with("error: --target win46: unknown platform; did you mean \"win64\"? (linux64, "), "{said}");
}

#[test]
fn webassembly_is_for_fmi_3() {
    let said = refused(&["--target", "wasm32"]);
    let expected = "error: --target wasm32: FMI 2.0 has no WebAssembly; build the FMU for FMI 3.0 (--fmi 3)";
    assert!(said.starts_with(expected), "{said}");
}
