//! The functions of FMI 3.0 as a component of WebAssembly, in the form that a draft of the Modelica Association describes.
//!
//! The importer's files and callbacks are imports. Instances are resources, which own the memory that the C functions of
//! [`fmi3`](super::fmi3) know as a component.

mod instances;
mod owned;

use std::ffi::CStr;
use std::panic::PanicHookInfo;
use std::path::Path;
use std::sync::Once;

use fmu_exchange::read_files_with;

use super::linked::Linked;
use super::panics;
use crate::instance::log;
use bindings::fmi::fmi3::types::Status;
use bindings::fmi::fmi3::{callbacks, resource_dir_callbacks};

/// The interface as `wit_bindgen` makes it.
#[allow(missing_docs, clippy::all, clippy::undocumented_unsafe_blocks, rustdoc::all)]
pub mod bindings {
    wit_bindgen::generate!({
        path: "src/c_interface/webassembly/fmi3.wit",
        world: "fmu",
        pub_export_macro: true,
        export_macro_name: "export_webassembly",
        default_bindings_module: "fmu_runtime::webassembly",
    });
}

impl<M: Linked> bindings::exports::fmi::fmi3::common::Guest for M {
    fn get_version() -> String {
        "3.0".to_owned()
    }
}

/// Makes files come from the importer, and panics, which end the module, go to its log. With `--small` they have no message.
fn connect() {
    static FIRST: Once = Once::new();
    FIRST.call_once(|| {
        read_files_with(read_file);
        if !cfg!(fmu_small) {
            std::panic::set_hook(Box::new(report));
        }
    });
}

fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    resource_dir_callbacks::read_file(&path.to_string_lossy())
}

fn report(info: &PanicHookInfo<'_>) {
    callbacks::log_message("", Status::Fatal, "logStatusFatal", &panics::message(info.payload()));
}

/// Hands a message to the importer.
fn log_message(name: &CStr, status: log::Status, category: &CStr, text: &CStr) {
    let [name, category, text] = [name, category, text].map(CStr::to_string_lossy);
    callbacks::log_message(&name, known(status), &category, &text);
}

fn known(status: log::Status) -> Status {
    match status {
        log::Status::Ok => Status::Ok,
        log::Status::Discard => Status::Discard,
        log::Status::Error => Status::Error,
    }
}
