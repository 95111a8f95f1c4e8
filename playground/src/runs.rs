//! A run that goes on in slices, its results, and the motion of the shapes.

use anyhow::{Context, Result};
use c_interface::Standard;
use fmu_builder::shapes;
use fmu_importer::animate::{Animation, LIGHT, view};
use fmu_importer::input::{InputTable, TableOptions};
use fmu_importer::{Event, Fmu, Instance, Run, Simulation};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::Model;

/// Largest number of messages of a call; more say nothing new.
const MAX_MESSAGES: usize = 20;

/// The argument of `simulate`.
#[derive(Deserialize)]
pub struct Request {
    start: Option<f64>,
    stop: Option<f64>,
    step: Option<f64>,
    tolerance: Option<f64>,
    #[serde(default)]
    set: Vec<String>,
    input: Option<Table>,
    #[serde(default)]
    record: Vec<String>,
}

/// A table of inputs.
#[derive(Deserialize)]
struct Table {
    file: String,
    #[serde(default)]
    sheet: Option<String>,
}

/// A run.
pub struct Running {
    // The run is dropped before its simulation.
    run: Run<'static, Instance>,
    simulation: Kept,
    animation: Option<Animation>,
    /// Number of columns that were asked for.
    shown: usize,
    messages: Vec<String>,
    places: Vec<f64>,
}

/// A simulation that stays at its place until this is dropped.
struct Kept(*mut Simulation);

impl Kept {
    fn get(&self) -> &'static Simulation {
        // SAFETY: the simulation stays as long as this, and the only holder of the reference is dropped before.
        unsafe { &*self.0 }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: it was made by `Box::into_raw`, and is dropped once.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// The simulations of what was built last, whose description is read once.
pub struct Imported(std::sync::Arc<Fmu>);

impl Imported {
    /// Reads the description as an importer.
    pub fn new(model: &Model) -> Result<Self> {
        let standard = match model.standards.first() {
            Some(fmu_builder::Standard::Fmi3) => Standard::Fmi3,
            _ => Standard::Fmi2,
        };
        Ok(Self(Fmu::linked(&model.description, model.component.api(standard)?)?))
    }
}

impl Running {
    /// Begins a run.
    pub fn start(model: &Model, imported: &Imported, request: &Request) -> Result<Self> {
        let fmu = &imported.0;
        let mut simulation = Simulation::of(fmu.load(fmu.interface()?)?)?;
        for assignment in &request.set {
            simulation.set(assignment)?;
        }
        if let Some(Table { file, sheet }) = &request.input {
            let options = TableOptions { sheet: sheet.clone().unwrap_or_default(), ..TableOptions::default() };
            simulation.drive_by(file, &InputTable { options, ..InputTable::default() })?;
        }
        for name in &request.record {
            simulation.record(name)?;
        }
        let shown = simulation.recorded();
        let shapes = &model.description.shapes;
        let animation = (!shapes.is_empty()).then(|| Animation::of(&shapes::json(shapes), &mut simulation));
        let animation = animation.transpose()?;
        simulation.start = request.start.unwrap_or(simulation.start);
        simulation.stop = request.stop.unwrap_or(simulation.stop);
        simulation.step = request.step.unwrap_or(simulation.step);
        simulation.tolerance = request.tolerance.or(simulation.tolerance);
        let simulation = Kept(Box::into_raw(Box::new(simulation)));
        let mut messages = Vec::new();
        let run = simulation.get().start(&mut |event| note(&mut messages, event))?;
        Ok(Self { run, simulation, animation, shown, messages, places: Vec::new() })
    }

    /// Returns the reply of `simulate`.
    pub fn reply(&self) -> Result<Value> {
        let trajectory = self.run.trajectory();
        let mut columns = vec![json!({ "name": "time", "unit": "s", "discrete": false, "shown": true })];
        for (i, name) in trajectory.names.iter().enumerate() {
            let (unit, discrete) = (&trajectory.units[i], trajectory.discrete[i]);
            columns.push(json!({ "name": name, "unit": unit, "discrete": discrete, "shown": i < self.shown }));
        }
        let simulation = self.simulation.get();
        Ok(json!({ "columns": columns, "steps": simulation.number_of_steps()?, "notes": simulation.notes() }))
    }

    /// Goes on by a number of steps; returns the reply of `advance`.
    pub fn advance(&mut self, steps: usize) -> Result<Value> {
        let messages = &mut self.messages;
        self.run.proceed(steps, &mut |event| note(messages, event)).map_err(|error| {
            // What the FMU said before may explain it.
            match messages.is_empty() {
                true => error,
                false => error.context(std::mem::take(messages).join("\n")),
            }
        })?;
        let time = &self.run.trajectory().time;
        Ok(json!({
            "rows": time.len(),
            "time": time.last(),
            "done": self.run.is_done(),
            "ended": self.run.ended(),
            "messages": std::mem::take(messages),
        }))
    }

    /// Returns the values of a column so far, of which the first is the time.
    pub fn column(&self, index: usize) -> Option<&[f64]> {
        let trajectory = self.run.trajectory();
        match index.checked_sub(1) {
            None => Some(&trajectory.time),
            Some(index) => trajectory.columns.get(index).map(Vec::as_slice),
        }
    }

    /// Makes the motion of the shapes so far; returns the reply of `scene`.
    pub fn scene(&mut self) -> Result<Value> {
        let animation = self.animation.as_ref().context("there are no shapes to draw")?;
        let scene = animation.scene(self.run.trajectory())?;
        let (middle, radius) = scene.extent();
        self.places.clear();
        for place in scene.bodies.iter().flat_map(|body| &body.places) {
            self.places.extend(place.iter().flat_map(|axis| axis.iter()));
        }
        let labels: Vec<_> = (0..scene.time.len()).map(|row| scene.labels(row)).collect();
        let names: Vec<_> = labels.first().into_iter().flatten().map(|(name, _)| *name).collect();
        for label in 0..names.len() {
            self.places.extend(labels.iter().flat_map(|row| row[label].1.iter()));
        }
        let body = |body: &fmu_importer::animate::Body| json!({ "kind": body.kind.name(), "color": body.color, "name": body.name });
        Ok(json!({
            "time": scene.time,
            "middle": middle.as_slice(),
            "radius": radius,
            "view": view(),
            "light": LIGHT,
            "bodies": scene.bodies.iter().map(body).collect::<Vec<_>>(),
            "labels": names,
        }))
    }

    /// Returns the numbers of the motion.
    pub fn places(&self) -> &[f64] {
        &self.places
    }
}

fn note(messages: &mut Vec<String>, event: Event<'_>) {
    if let Event::Message(message) = event {
        let text = message.to_string();
        if messages.len() < MAX_MESSAGES && !messages.contains(&text) {
            messages.push(text);
        }
    }
}
