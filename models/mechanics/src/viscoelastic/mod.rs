//! Rubber: elements parallel to a spring that store part of the energy and dissipate the rest.
//!
//! Both elements are a spring of stiffness c between a deflection x and an inner point q, which follows x:
//!
//! ```text
//! load = c (x - q)                           resists x                                [N or N.m]
//! Maxwell:   q' = (x - q) / tau              a damper of c tau in series with the spring
//! Friction:  q' = |x'| (x - q) / reach       Dahl's law, reach = limit / c            [m or rad]
//! loss = load q'                             never negative                           [W]
//! ```
//!
//! The friction element depends on the path of x, not on its time. On a path in one direction its load approaches
//! the limit exponentially: z = x - q goes to ±reach. Source: Dahl, A solid friction model, 1968.

mod friction;
mod harmonic;
mod maxwell;
mod path;

pub use friction::{creep, follow_path, walk};
pub use harmonic::{friction_stiffness, maxwell_stiffness};
pub use maxwell::{Relaxation, relax};
pub use path::{COORDINATES, Path, follow};
