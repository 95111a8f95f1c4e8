//! Rows: the variables that a component declares, their types, and where their values lie.

pub mod bounds;
pub mod connector;
pub mod declare;
pub mod enumeration;
pub mod initial;
pub mod number;
pub mod picture;
pub mod row;
pub mod scalar;
pub mod shape;
pub mod structure;
pub mod unit;
pub mod values;
pub mod variable;
