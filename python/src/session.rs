//! The process of a model that stays open.

use std::fs::File;
use std::io::{stdin, stdout};
use std::path::PathBuf;

use pyo3::prelude::*;

/// Serves an FMU that stays open to the process that started this one, over its standard input and output; the folder of
/// temporary files is removed at the end.
#[pyfunction]
pub fn serve(py: Python<'_>, scratch: PathBuf) -> PyResult<()> {
    let (input, output) = own_streams()?;
    // What the FMU prints must not be taken for a reply.
    py.import("os")?.call_method1("dup2", (2, 1))?;
    py.detach(|| {
        fmu_importer::session::serve(input, output, move || {
            // Files that cannot be removed stay.
            let _ = std::fs::remove_dir_all(&scratch);
        });
    });
    Ok(())
}

/// Returns copies of the standard input and output.
fn own_streams() -> std::io::Result<(File, File)> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        Ok((stdin().as_fd().try_clone_to_owned()?.into(), stdout().as_fd().try_clone_to_owned()?.into()))
    }
    #[cfg(windows)]
    {
        use std::os::windows::io::AsHandle;
        Ok((stdin().as_handle().try_clone_to_owned()?.into(), stdout().as_handle().try_clone_to_owned()?.into()))
    }
}
