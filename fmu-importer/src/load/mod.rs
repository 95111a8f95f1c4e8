//! Libraries and their instances.

pub mod messages;
pub mod platforms;
pub mod slave;
