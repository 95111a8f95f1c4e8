//! Properties of every component in every structure, tested with the finished FMUs.

mod derivatives;
mod description;
mod flows;
mod importers;
mod interfaces;
mod life;
mod openmodelica;
mod points;
mod rates;
mod states;
mod stepping;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod traps;
mod tunable;
