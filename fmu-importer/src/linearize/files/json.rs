//! Linear systems as JSON.

use anyhow::Result;
use nalgebra::{Complex, DMatrix};
use serde_json::{Value, json};

use crate::linearize::modes::Mode;
use crate::linearize::{Channel, Linearization};

/// First key of the file, by which it is recognised.
const FORMAT: &str = "linear system";

/// Returns the content of the file.
pub fn content(system: &Linearization) -> Result<Vec<u8>> {
    let channels = |channels: &[Channel]| -> Vec<Value> { channels.iter().map(channel).collect() };
    let mut states = channels(&system.states);
    for (state, derivative) in states.iter_mut().zip(&system.derivatives) {
        state["derivative"] = json!(derivative);
    }
    let discrete = system.discrete.iter();
    let discrete: Vec<Value> =
        discrete.map(|it| json!({ "name": it.name, "value": it.value, "text": it.text })).collect();
    let entries = [
        ("model", json!(system.model)),
        ("time", json!(system.time)),
        ("derivatives", json!(system.origin)),
        ("states", json!(states)),
        ("inputs", json!(channels(&system.inputs))),
        ("outputs", json!(channels(&system.outputs))),
        ("discrete", json!(discrete)),
        ("held", json!(system.modes.held)),
        ("undetermined", json!(system.undetermined)),
        ("A", matrix(&system.a)),
        ("B", matrix(&system.b)),
        ("C", matrix(&system.c)),
        ("D", matrix(&system.d)),
        ("modes", system.modes.modes.iter().map(|it| mode(it, &system.states)).collect()),
    ];
    // A line for each entry; rows of matrices stay together.
    let mut text = format!("{{\n  \"format\": \"{FORMAT}\"");
    for (key, value) in entries {
        text += &format!(",\n  \"{key}\": {}", serde_json::to_string(&value)?);
    }
    text += "\n}\n";
    Ok(text.into_bytes())
}

fn channel(channel: &Channel) -> Value {
    let mut value = json!({ "name": channel.name, "unit": channel.unit, "value": channel.value });
    if let Some(of) = &channel.derivative_of {
        value["derivative_of"] = json!(of);
    }
    value
}

fn matrix(matrix: &DMatrix<f64>) -> Value {
    matrix.row_iter().map(|row| row.iter().copied().collect::<Vec<f64>>()).collect::<Vec<_>>().into()
}

fn mode(mode: &Mode, states: &[Channel]) -> Value {
    let complex = |value: &Complex<f64>| json!([value.re, value.im]);
    let participation: serde_json::Map<String, Value> =
        states.iter().zip(&mode.participation).map(|(state, part)| (state.name.clone(), json!(part))).collect();
    json!({
        "kind": mode.kind.name(),
        "eigenvalue": complex(&mode.eigenvalue),
        "frequency": mode.frequency(),
        "damping_ratio": mode.damping_ratio(),
        "time_constant": mode.time_constant(),
        "shape": mode.shape.iter().map(complex).collect::<Vec<_>>(),
        "participation": participation,
    })
}
