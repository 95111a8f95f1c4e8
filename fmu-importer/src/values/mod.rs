//! Variables and their values as people write them.

pub mod assignment;
pub mod value;
pub mod variables;
