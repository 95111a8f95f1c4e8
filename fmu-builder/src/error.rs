//! Errors; their messages name the file, the variable and the value.

use std::path::PathBuf;

/// An error of the builder.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be read or written; the message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),

    /// A shared library cannot be used.
    #[error("{}: {reason}", path.display())]
    Library {
        /// The library.
        path: PathBuf,
        /// Reason for which the library cannot be used.
        reason: String,
    },

    /// A library rejects a configuration.
    #[error("{0}")]
    Refused(String),

    /// The user's settings are invalid: all errors, each with its location.
    #[error("{}", .0.join("\n"))]
    Settings(Vec<String>),

    /// A description cannot be written as XML.
    #[error("variable \"{variable}\": {reason}")]
    Variable {
        /// Name of the variable.
        variable: String,
        /// Mistake in the variable.
        reason: String,
    },

    /// The icon is not a drawing.
    #[error("icon of {component}: {reason}")]
    Icon {
        /// Name of the component.
        component: String,
        /// Mistake in the icon.
        reason: String,
    },

    /// A file cannot be written.
    #[error("{}: cannot be written: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Reason for which the file cannot be written.
        reason: String,
    },

    /// A file may not be replaced.
    #[error("{}: already exists; --force replaces it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },

    /// A file would overwrite another one of the same command.
    #[error("{text}, {}", path.display())]
    Overwrite {
        /// Message that names both files.
        text: String,
        /// Path of the other file.
        path: PathBuf,
    },

    /// An archive, or a file inside, cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Archive {
        /// The archive.
        path: PathBuf,
        /// Mistake in the archive.
        reason: String,
    },

    /// An entry that an archive must not have.
    #[error("archive entry \"{name}\" {reason}")]
    Entry {
        /// Name of the entry.
        name: String,
        /// Reason for which the entry is refused.
        reason: &'static str,
    },

    /// FMUs cannot be combined to a system.
    #[error("{0}")]
    System(String),

    /// The platform has no folder in an FMU.
    #[error("FMI 2.0 has no binaries folder for the target \"{0}\"")]
    Platform(String),

    /// `SOURCE_DATE_EPOCH` is not a time.
    #[error("SOURCE_DATE_EPOCH is \"{0}\"; it must be a number of seconds since 1970")]
    Epoch(String),
}

impl Error {
    /// Returns true if the message starts with its location: a file or an argument.
    pub fn names_its_location(&self) -> bool {
        matches!(
            self,
            Error::Io(_)
                | Error::Library { .. }
                | Error::Settings(_)
                | Error::Write { .. }
                | Error::Exists { .. }
                | Error::Overwrite { .. }
                | Error::Archive { .. }
        )
    }
}
