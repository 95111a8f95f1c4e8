//! A model for tests.

use std::sync::Arc;

use fmu_builder::ModelDescription;
use fmu_builder::description::{Causality, DataType, Enumeration, Variability, Variable, VariableType};
use fmu_runtime::Item;

/// Returns one variable of each kind and shape.
pub fn variables() -> Vec<Variable> {
    use Causality::{Input, Output, Parameter};
    let real = VariableType::Real { unit: None, start: None, derivative: None };
    let integer = VariableType::Integer { data_type: DataType::Int32, start: None };
    let item = VariableType::Enumeration { declared_type: "TransDir".to_owned(), start: None };
    let in_unit = |name: &str| VariableType::Real { unit: Some(name.to_owned()), start: None, derivative: None };
    let rows = [
        ("TS[1]", Parameter, real.clone()),
        ("TS[2]", Parameter, real.clone()),
        ("TS[3]", Parameter, real.clone()),
        ("m", Parameter, real.clone()),
        ("file", Parameter, VariableType::String { start: None }),
        ("onlyOne", Parameter, item.clone()),
        ("frame_a.f[1]", Input, real.clone()),
        ("frame_a.R.T[1,1]", Input, real.clone()),
        ("frame_a.R.T[1,2]", Input, real.clone()),
        ("frame_a.R.T[2,1]", Input, real.clone()),
        ("frame_a.R.T[2,2]", Input, real.clone()),
        ("on", Input, VariableType::Boolean { start: None }),
        ("gear", Input, integer),
        ("serial", Input, VariableType::Integer { data_type: DataType::UInt64, start: None }),
        ("lossPower", Output, real.clone()),
        ("label", Input, VariableType::String { start: None }),
        ("direction", Input, item),
        ("x", Input, in_unit("m")),
        ("w", Input, in_unit("rad/s")),
        ("tuned", Parameter, in_unit("N/m")),
    ];
    let variable = |(reference, (name, causality, kind)): (usize, (&str, Causality, VariableType))| {
        let continuous = causality != Parameter && matches!(kind, VariableType::Real { .. });
        Variable {
            name: name.to_owned(),
            value_reference: reference as u32,
            description: String::new(),
            causality,
            variability: match (causality, continuous) {
                _ if name == "tuned" => Variability::Tunable,
                (Parameter, _) => Variability::Fixed,
                (_, true) => Variability::Continuous,
                (_, false) => Variability::Discrete,
            },
            initial: None,
            attributes: Arc::default(),
            kind,
        }
    };
    rows.into_iter().enumerate().map(variable).collect()
}

/// Returns the enumeration in use.
pub fn enumerations() -> Vec<Enumeration> {
    vec![Enumeration {
        name: "TransDir".into(),
        description: "".into(),
        items: vec![Item::new("all", ""), Item::new("xAndY", "")].into(),
        aliases: Vec::new().into(),
    }]
}

/// Returns the description of these variables, besides which there is a Binary.
pub fn model() -> ModelDescription {
    let left_out = vec!["`camera` is a Binary, which is not used".to_owned()];
    ModelDescription { variables: variables(), enumerations: enumerations(), left_out, ..ModelDescription::default() }
}

/// Returns the whole message of a result that must be an error.
pub fn message<T>(result: anyhow::Result<T>) -> String {
    match result {
        Ok(_) => panic!("this must be refused"),
        Err(error) => format!("{error:#}"),
    }
}
