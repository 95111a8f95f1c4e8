//! Error messages of assemblies.

use fmu_runtime::{ModelError, Number, Scalar};
use mechanics::assembly::{Singular, Universal};
use nalgebra::Vector3;

/// The names of an assembly in messages.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// Name of the assembly.
    pub assembly: &'a str,
    /// Name of the parameter with the universal joint's axis 1.
    pub axis1: &'a str,
}

impl Names<'_> {
    /// Makes the error of a singular position.
    #[cold]
    #[inline(never)]
    pub fn error(&self, singular: Singular) -> ModelError {
        let name = self.assembly;
        ModelError::singular(match singular {
            Singular::Reach { length, nearest, farthest } => {
                let length = Number(length);
                let range = if farthest.is_finite() {
                    format!("from {} m to {} m", Number(nearest), Number(farthest))
                } else {
                    format!("at least {} m", Number(nearest))
                };
                if singular.is_unreachable() {
                    format!(
                        "{name}: rod 1 cannot close the loop: it is {length} m long, but the distance between its ends \
                         is {range}"
                    )
                } else {
                    format!(
                        "{name}: dead centre, where both configurations meet: rod 1 is {length} m long, and the \
                         distance between its ends is {range}"
                    )
                }
            }
            Singular::Parallel { angle } => format!(
                "{name}: the universal joint is singular: {} is parallel to the line to the other joint (angle {} deg); \
                 it should be perpendicular to it in the middle of the motion",
                self.axis1,
                Number(angle.to_degrees())
            ),
            Singular::Coincident { distance } => format!(
                "{name}: the origins of frame_a and frame_b are {} m apart, too close to define a line between them",
                Number(distance)
            ),
        })
    }
}

/// Rejects a vector of length zero.
pub fn check_length<T: Scalar>(name: &str, vector: &Vector3<T>) -> Result<(), ModelError> {
    if vector.iter().any(|element| element.value() != 0.0) {
        return Ok(());
    }
    Err(ModelError::invalid(format!("{name} is {}, but must not be zero", shown(vector))))
}

/// Rejects an axis 1 or a rod 1 of length zero, and a rod 1 parallel to axis 1.
pub fn check_rod1<T: Scalar>(axis1: (&str, &Vector3<T>), rod1: (&str, &Vector3<T>)) -> Result<(), ModelError> {
    check_length(axis1.0, axis1.1)?;
    check_length(rod1.0, rod1.1)?;
    Universal::check(axis1.1, rod1.1).map_err(|_| parallel(rod1, axis1.0))
}

/// Rejects a rod 2 that does not move when it rotates about `axis`.
pub fn check_rod2<T: Scalar>(axis: (&str, &Vector3<T>), rod2: (&str, &Vector3<T>)) -> Result<(), ModelError> {
    check_length(axis.0, axis.1)?;
    check_length(rod2.0, rod2.1)?;
    Universal::check(axis.1, rod2.1).map_err(|_| parallel(rod2, axis.0))
}

#[cold]
fn parallel<T: Scalar>((name, vector): (&str, &Vector3<T>), axis: &str) -> ModelError {
    ModelError::invalid(format!(
        "{name} is {}, parallel to {axis}, but must have a perpendicular component",
        shown(vector)
    ))
}

/// Writes a vector as a configuration has it.
pub fn shown<T: Scalar>(vector: &Vector3<T>) -> String {
    let [x, y, z] = [0, 1, 2].map(|i| Number(vector[i].value()));
    format!("[{x}, {y}, {z}]")
}
