//! Rows: the variables that a component declares, their types, and where their values lie.

pub mod check;
pub mod declare;
pub mod enumeration;
pub mod row;
pub mod scalar;
pub mod values;
pub mod variable;
