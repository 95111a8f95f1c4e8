//! Parameters that the start determines, by the option `part.c.initial = find`.

use fmu_runtime::{Attributes, Index, ModelError, RowKind, StructureKind, StructureOption, write_name};

use super::Topology;
use super::drivetrain::PartScalar;
use super::shared::parameter_at;
use super::wiring::{FoundParameter, Wiring};
use crate::part::View;
use crate::real::Real;

/// The word for that.
pub const FIND: &str = "find";

impl Topology {
    /// Lets the start determine a parameter of a part.
    pub(super) fn find(&mut self, part: &str, variable: &str) {
        let name = format!("{part}.{variable}");
        if !self.found.contains(&name) {
            self.found.push(name);
        }
    }

    /// Returns the options for the parameters of a part that the start determines.
    pub(super) fn found_options(&self, part: &str) -> Vec<StructureOption> {
        let own = self.found.iter().filter(|name| is_of(part, name).is_some());
        own.map(|name| StructureOption {
            name: format!("{name}.initial"),
            description: "Lets the start determine the parameter".to_owned(),
            kind: StructureKind::Initial(vec![FIND.to_owned()]),
            aliases: Vec::new(),
            default: String::new(),
            value: FIND.to_owned(),
        })
        .collect()
    }

    /// Passes a row on, as that of a parameter that the start determines if it is one.
    pub(super) fn pass_found(&self, attributes: &Attributes<'_>, index: Index, pass: &mut dyn FnMut(&Attributes<'_>)) {
        let mut name = String::new();
        // Writing to a text does not fail.
        let _ = write_name(&mut name, attributes, index);
        let is_parameter = matches!(attributes.kind(), RowKind::parameter | RowKind::tunable);
        pass(&if is_parameter && self.found.contains(&name) { attributes.found_at_start() } else { *attributes });
    }

    /// Finds where the parameters are that the start determines.
    ///
    /// # Errors
    ///
    /// Names one that it cannot determine.
    pub(super) fn found_parameters(
        &self,
        wiring: &Wiring,
        view: View<'_, Real>,
    ) -> Result<Vec<FoundParameter>, String> {
        let find = |name: &String| {
            let parts = self.parts.iter().zip(&wiring.offsets);
            let found = parts.into_iter().find_map(|(named, offsets)| {
                let (place, bounds) = parameter_at(named, is_of(&named.name, name)?)?;
                let properties = named.part.properties();
                // Others are in the mass matrix, in relations or in tables, which are prepared before.
                let is_load = (properties.has_loads || properties.acts_on_frames) && !properties.has_friction;
                let moves = properties.can_be_free || !named.part.own_positions().is_empty();
                let is_load = is_load && !moves && Real::of(&*named.part).relations(view, *offsets).is_empty();
                is_load.then_some((offsets.passed.reals + place, bounds))
            });
            let (place, bounds) = found.ok_or_else(|| {
                format!("{name} cannot be found by the start: only parameters of loads can, such as the stiffness of a spring")
            })?;
            Ok(FoundParameter { name: name.clone(), place, bounds })
        };
        self.found.iter().map(find).collect()
    }
}

/// Makes the error for parameters that a start determines at which nothing is at rest.
pub fn found_in_motion(found: &[FoundParameter]) -> Option<ModelError> {
    found.first().map(|FoundParameter { name, .. }| {
        ModelError::invalid(format!(
            "{name} is to be found, but nothing starts at rest: set steady = true of a joint, an inertia or a mass whose \
             acceleration it changes, and enforce the start value of its position"
        ))
    })
}

/// Returns the name of a variable in a part, if it is one of the part.
fn is_of<'n>(part: &str, name: &'n str) -> Option<&'n str> {
    name.strip_prefix(part)?.strip_prefix('.')
}
