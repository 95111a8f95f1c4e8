//! A model to try things on.

use fmu_builder::description::{Causality, Enumeration, Variability, Variable, VariableType};
use fmu_runtime::Item;

/// One variable of each kind and shape.
pub fn variables() -> Vec<Variable> {
    use Causality::{Input, Output, Parameter};
    let real = VariableType::Real {
        unit: None,
        display_unit: None,
        start: None,
        min: None,
        max: None,
        nominal: None,
        derivative: None,
    };
    let integer = VariableType::Integer { start: None, min: None, max: None };
    let item = VariableType::Enumeration { declared_type: "TransDir".to_owned(), start: None };
    let rows = [
        ("TS[1]", Parameter, real.clone()),
        ("TS[2]", Parameter, real.clone()),
        ("TS[3]", Parameter, real.clone()),
        ("m", Parameter, real.clone()),
        ("file", Parameter, VariableType::String { start: None }),
        ("onlyOne", Parameter, item),
        ("frame_a.f[1]", Input, real.clone()),
        ("frame_a.R.T[1,1]", Input, real.clone()),
        ("frame_a.R.T[1,2]", Input, real.clone()),
        ("frame_a.R.T[2,1]", Input, real.clone()),
        ("frame_a.R.T[2,2]", Input, real.clone()),
        ("on", Input, VariableType::Boolean { start: None }),
        ("gear", Input, integer),
        ("lossPower", Output, real),
    ];
    let variable = |(reference, (name, causality, kind)): (usize, (&str, Causality, VariableType))| {
        let continuous = causality != Parameter && matches!(kind, VariableType::Real { .. });
        Variable {
            name: name.to_owned(),
            value_reference: reference as u32,
            description: String::new(),
            causality,
            variability: match (causality, continuous) {
                (Parameter, _) => Variability::Fixed,
                (_, true) => Variability::Continuous,
                (_, false) => Variability::Discrete,
            },
            initial: None,
            kind,
        }
    };
    rows.into_iter().enumerate().map(variable).collect()
}

/// The enumeration in use.
pub fn enumerations() -> Vec<Enumeration> {
    vec![Enumeration {
        name: "TransDir".into(),
        description: "".into(),
        items: vec![Item::new("all", ""), Item::new("xAndY", "")].into(),
    }]
}

/// The whole message of a result that must be an error.
pub fn message<T>(result: anyhow::Result<T>) -> String {
    match result {
        Ok(_) => panic!("this must be refused"),
        Err(error) => format!("{error:#}"),
    }
}
