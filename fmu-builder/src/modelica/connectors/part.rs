//! What a connector adds to a model, and what its equations are put together from.

use crate::modelica::ports::Port;

/// The declarations and equations of a connector.
#[derive(Default)]
pub(in crate::modelica) struct Part {
    /// Declarations of protected variables.
    pub variables: Vec<String>,
    /// Equations, without semicolon.
    pub equations: Vec<String>,
}

impl Part {
    pub fn equation(&mut self, left: impl AsRef<str>, right: impl AsRef<str>) {
        self.equations.push(format!("{} = {}", left.as_ref(), right.as_ref()));
    }
}

/// The functions that provide the derivatives of their result.
const ADAPTORS: &str = "Modelica.Blocks.Interfaces.Adaptors.Functions";

/// A motion of which the first or the first two derivatives are known.
pub(super) fn state(value: &str, derivatives: &[String]) -> String {
    match derivatives {
        [] => value.to_owned(),
        [first, ..] => {
            let known = derivatives.len().min(2);
            let second = derivatives.get(1).map(|second| format!(", {second}")).unwrap_or_default();
            format!("{ADAPTORS}.state{known}({{{value}, {first}{second}}}, time)")
        }
    }
}

pub(super) fn find<'a, 'b>(ports: &'a [Port<'b>], name: &str) -> Option<&'a Port<'b>> {
    ports.iter().find(|port| port.name == name)
}
