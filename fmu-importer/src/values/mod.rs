//! Variables and their values as people write them, and the files that these are in.

pub mod assignment;
pub mod file;
#[cfg(feature = "commands")]
pub mod table_keys;
#[cfg(feature = "commands")]
pub mod toml_file;
pub mod value;
pub mod variables;
