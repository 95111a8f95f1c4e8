//! What holds for every component in every structure, through the finished FMUs.

mod derivatives;
mod description;
mod importers;
mod points;
mod states;
mod stepping;
mod tunable;
