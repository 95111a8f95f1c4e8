//! The user's settings, and all possible settings.

pub(crate) mod catalogue;
pub(crate) mod schema;
pub(crate) mod settings;
pub(crate) mod template;
