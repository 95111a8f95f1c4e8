//! Builder, components and importer as one module of WebAssembly, for a page in a browser.
//!
//! The functions take UTF-8 texts, mostly JSON, by pointer and length, return 0, or 1 for an error, and leave a reply at
//! `reply_pointer`; `docs/decisions/playground.md` says why.
//!
//! # Safety
//!
//! All functions rely on the page to pass pointers from `allocate` with the lengths of what lies there.
#![allow(clippy::missing_safety_doc)]

mod completion;
mod components;
mod described;
mod model;
mod packing;
mod problems;
mod runs;

use std::cell::RefCell;
use std::panic::PanicHookInfo;
use std::path::Path;
use std::sync::Once;
use std::{ptr, slice, str};

use anyhow::{Context, Result};
use fmu_builder::Catalogue;
use serde_json::{Value, json};

use model::{Libraries, Model};
use runs::{Imported, Running};

/// State that the functions share.
#[derive(Default)]
struct State {
    libraries: Libraries,
    model: Option<Model>,
    imported: Option<Imported>,
    running: Option<Running>,
    platforms: packing::Libraries,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
    static REPLY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns memory for something that is passed to another function.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(size: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; size].into_boxed_slice()).cast()
}

/// Frees memory from `allocate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(pointer: *mut u8, size: usize) {
    // SAFETY: it was allocated with this size.
    drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(pointer, size)) });
}

/// Returns the place of the last reply.
#[unsafe(no_mangle)]
pub extern "C" fn reply_pointer() -> *const u8 {
    REPLY.with_borrow(|reply| reply.as_ptr())
}

/// Returns the number of bytes of the last reply.
#[unsafe(no_mangle)]
pub extern "C" fn reply_length() -> usize {
    REPLY.with_borrow(Vec::len)
}

/// Puts a file into the folder in memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn put_file(name: *const u8, name_length: usize, content: *const u8, length: usize) -> i32 {
    // SAFETY: what the page passes, see above.
    let (name, content) = unsafe { (bytes(name, name_length), bytes(content, length)) };
    answer(|_| {
        write_file(Path::new(str::from_utf8(name)?), content);
        Ok(Vec::new())
    })
}

/// Removes all files in memory.
#[unsafe(no_mangle)]
pub extern "C" fn remove_files() -> i32 {
    answer(|state| {
        // The files of a run lie there, too.
        (state.running, state.imported) = (None, None);
        remove_all();
        Ok(Vec::new())
    })
}

#[cfg(target_family = "wasm")]
fn write_file(path: &Path, content: &[u8]) {
    fmu_exchange::memory::write_file(path, content.to_vec());
}

#[cfg(target_family = "wasm")]
fn remove_all() {
    fmu_exchange::memory::remove_folder(Path::new(""));
}

// Elsewhere, files lie on disk.
#[cfg(not(target_family = "wasm"))]
fn write_file(_: &Path, _: &[u8]) {}

#[cfg(not(target_family = "wasm"))]
fn remove_all() {}

/// Builds a configuration, and describes what was built.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn build(request: *const u8, length: usize) -> i32 {
    // SAFETY: what the page passes, see above.
    let request = unsafe { bytes(request, length) };
    answer(|state| {
        let request: model::Request = serde_json::from_slice(request).context("the request")?;
        (state.running, state.imported, state.model) = (None, None, None);
        let model = state.libraries.build(&request)?;
        let reply = described::reply(&model, request.main());
        state.model = Some(model);
        text(&reply)
    })
}

/// Draws the parts of what was built.
#[unsafe(no_mangle)]
pub extern "C" fn schematic() -> i32 {
    answer(|state| {
        let model = state.model()?;
        Ok(fmu_builder::schematic(&model.description.structure).unwrap_or_default().into_bytes())
    })
}

/// Begins a run of what was built.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simulate(request: *const u8, length: usize) -> i32 {
    // SAFETY: what the page passes, see above.
    let request = unsafe { bytes(request, length) };
    answer(|state| {
        let request: runs::Request = serde_json::from_slice(request).context("the request")?;
        state.running = None;
        let model = state.model.as_ref().context(NOTHING_BUILT)?;
        let imported = match &mut state.imported {
            Some(imported) => imported,
            none => none.insert(Imported::new(model)?),
        };
        let running = Running::start(model, imported, &request)?;
        let reply = running.reply()?;
        state.running = Some(running);
        text(&reply)
    })
}

/// Goes on with the run by a number of communication steps.
#[unsafe(no_mangle)]
pub extern "C" fn advance(steps: usize) -> i32 {
    answer(|state| text(&state.running()?.advance(steps)?))
}

/// Returns the place of the values of a column so far, NULL if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn column(index: usize) -> *const f64 {
    STATE.with_borrow(|state| {
        let values = state.running.as_ref().and_then(|running| running.column(index));
        values.map_or(ptr::null(), <[f64]>::as_ptr)
    })
}

/// Makes the motion of the shapes so far.
#[unsafe(no_mangle)]
pub extern "C" fn scene() -> i32 {
    answer(|state| text(&state.running()?.scene()?))
}

/// Returns the place of the numbers of the motion.
#[unsafe(no_mangle)]
pub extern "C" fn places() -> *const f64 {
    STATE.with_borrow(|state| state.running.as_ref().map_or(ptr::null(), |running| running.places().as_ptr()))
}

/// Takes the list of libraries for platforms.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn list_libraries(index: *const u8, length: usize) -> i32 {
    // SAFETY: what the page passes, see above.
    let index = unsafe { bytes(index, length) };
    answer(|state| text(&json!({ "platforms": state.platforms.list(index)? })))
}

/// Takes the libraries for a platform.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn add_libraries(name: *const u8, name_length: usize, archive: *const u8, length: usize) -> i32 {
    // SAFETY: what the page passes, see above.
    let (name, archive) = unsafe { (bytes(name, name_length), bytes(archive, length)) };
    answer(|state| {
        state.platforms.add(str::from_utf8(name)?, archive)?;
        Ok(Vec::new())
    })
}

/// Packs what was built.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pack(request: *const u8, length: usize) -> i32 {
    // SAFETY: what the page passes, see above.
    let request = unsafe { bytes(request, length) };
    answer(|state| {
        let request: packing::Request = serde_json::from_slice(request).context("the request")?;
        state.platforms.pack(state.model()?, &request)
    })
}

/// Returns the JSON schema of systems.
#[unsafe(no_mangle)]
pub extern "C" fn schema() -> i32 {
    answer(|state| {
        let types = Catalogue::of_parts(state.libraries.of(model::systems()?)?)?;
        text(&fmu_builder::system_schema(&types))
    })
}

/// Returns what can be written at a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn complete(request: *const u8, length: usize) -> i32 {
    // SAFETY: what the page passes, see above.
    let request = unsafe { bytes(request, length) };
    answer(|state| {
        let request: completion::Request = serde_json::from_slice(request).context("the request")?;
        text(&completion::complete(&state.libraries, &request)?)
    })
}

const NOTHING_BUILT: &str = "nothing was built";

impl State {
    fn model(&self) -> Result<&Model> {
        self.model.as_ref().context(NOTHING_BUILT)
    }

    fn running(&mut self) -> Result<&mut Running> {
        self.running.as_mut().context("there is no run")
    }
}

/// Runs a function and leaves its reply, or its error.
fn answer(function: impl FnOnce(&mut State) -> Result<Vec<u8>>) -> i32 {
    static FIRST: Once = Once::new();
    FIRST.call_once(|| std::panic::set_hook(Box::new(report)));
    let (status, reply) = match STATE.with_borrow_mut(function) {
        Ok(reply) => (0, reply),
        Err(error) => (1, problems::of_error(&error).to_string().into_bytes()),
    };
    REPLY.set(reply);
    status
}

fn report(info: &PanicHookInfo<'_>) {
    let text = format!("internal error, please report it: {info}");
    REPLY.set(json!({ "error": text, "problems": [problems::placed(&text)] }).to_string().into_bytes());
}

fn text(value: &Value) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec(value)?)
}

unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: the page passes the length of what lies there.
    if length == 0 { &[] } else { unsafe { slice::from_raw_parts(pointer, length) } }
}
