//! Rows: the variables that a component declares, their types, and the positions of their values.

pub mod check;
pub mod declare;
pub mod enumeration;
pub mod row;
pub mod scalar;
pub mod values;
pub mod variable;
