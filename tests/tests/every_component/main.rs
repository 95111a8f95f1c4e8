//! What holds for every component in every structure, through the finished FMUs.

mod derivatives;
mod points;
mod states;
