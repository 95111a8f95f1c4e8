//! What a library says of its component, and the files that tell it: XML, page, icon, shapes.

pub(crate) mod arrays;
pub(crate) mod documentation;
pub(crate) mod icon;
pub(crate) mod library;
pub(crate) mod model_description;
pub(crate) mod rows;
pub mod shapes;
pub(crate) mod terminals;
pub(crate) mod words;
pub(crate) mod xml;
