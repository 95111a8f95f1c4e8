//! The user's settings, and all that there is to set.

pub(crate) mod catalogue;
pub(crate) mod schema;
pub(crate) mod settings;
pub(crate) mod template;
