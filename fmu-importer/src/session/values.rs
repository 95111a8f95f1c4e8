//! The values of variables at a point.

use anyhow::Result;
use fmu_builder::description::VariableType;

use super::frame::{Frame, packed};
use super::model::OpenModel;
use super::request::{Described, Reply};
use crate::values::variables;

impl OpenModel {
    /// Tells the values of scalars and arrays.
    pub fn get(&mut self, names: &[String]) -> Result<Frame> {
        let model = self.loaded.clone();
        let all = &model.model().variables;
        let found: Vec<_> = names.iter().map(|name| variables::find(name, all, |_| true)).collect::<Result<_>>()?;
        let point = self.point()?;
        let mut values = Vec::new();
        let mut numbers = Vec::new();
        for elements in found {
            let first = &all[elements.positions[0]];
            let (kind, unit) = match &first.kind {
                VariableType::Real { unit, .. } => ("real", unit.clone()),
                VariableType::Integer { .. } | VariableType::Enumeration { .. } => ("integer", None),
                VariableType::Boolean { .. } => ("boolean", None),
                VariableType::String { .. } => ("string", None),
            };
            let references: Vec<_> = elements.positions.iter().map(|position| all[*position].value_reference).collect();
            let texts = match &first.kind {
                VariableType::String { .. } => {
                    point.instance.get_strings(&references)?.into_iter().map(Option::unwrap_or_default).collect()
                }
                kind => {
                    numbers.extend(match kind {
                        VariableType::Real { .. } => point.instance.get_reals(&references)?,
                        VariableType::Boolean { .. } => point.instance.get_booleans(&references)?,
                        _ => point.instance.get_integers(&references)?,
                    });
                    Vec::new()
                }
            };
            values.push(Described { kind, shape: elements.shape, unit, texts });
        }
        Ok(Frame::of(&Reply::Values { values, time: point.time }, packed(std::iter::once(&numbers[..]))))
    }
}
