//! Inner frames that a model can leave out: frames that the FMU moves, with loads that it takes.
//!
//! Each has a structural parameter `use_NAME`. Where it is false, the accelerations of the frame and its loads leave all arrays,
//! so that the linear equations of the FMU have fewer rows and columns. The connector stays, with the motion of the frame:
//! Modelica has equations of conditional connectors only by way of another component, whose connections are equations more.

use std::fmt;
use std::ops::Add;

/// Number of accelerations of a frame, and of its loads.
const COORDINATES: usize = 6;
/// Number of the inner frames in use.
const COUNT: &str = "innerFrames";

/// The size of an array, which depends on the inner frames in use.
#[derive(Clone, Copy)]
pub(super) struct Size {
    /// For each inner frame in use.
    pub of_frame: usize,
    /// All others.
    pub rest: usize,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { of_frame: 0, rest } => write!(f, "{rest}"),
            Self { of_frame, rest: 0 } => write!(f, "{of_frame}*{COUNT}"),
            Self { of_frame, rest } => write!(f, "{of_frame}*{COUNT} + {rest}"),
        }
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { of_frame: self.of_frame + other.of_frame, rest: self.rest + other.rest }
    }
}

/// The inner frames of a model, by name.
#[derive(Default)]
pub(super) struct InnerFrames(pub Vec<String>);

impl InnerFrames {
    /// The size of an array of `count` numbers, so many of which belong to each inner frame.
    pub fn size(&self, count: usize, of_frame: usize) -> Size {
        if self.0.is_empty() {
            return Size { of_frame: 0, rest: count };
        }
        Size { of_frame, rest: count - of_frame * self.0.len() }
    }

    /// An index from 1 of a number that belongs to the last frame of the list, `is_last`, or follows all frames, in an array
    /// with so many numbers for each frame.
    pub fn index(&self, index: usize, of_frame: usize, is_last: bool) -> String {
        let before = self.0.len().saturating_sub(usize::from(is_last));
        match (before, self.0.last()) {
            (1.., Some(name)) => {
                let offset = if is_last { offset(name) } else { COUNT.to_owned() };
                format!("{of_frame}*{offset} + {}", index - of_frame * before)
            }
            _ => index.to_string(),
        }
    }

    /// The names of the parameters, and of numbers that follow from them.
    pub fn parameter_names(&self) -> impl Iterator<Item = String> {
        let count = (!self.0.is_empty()).then(|| COUNT.to_owned());
        self.0.iter().map(|name| switch(name)).chain(self.0.iter().skip(1).map(|name| offset(name))).chain(count)
    }

    /// The parameters.
    pub fn parameters(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|name| {
            format!(
                "parameter Boolean {} = true \"= true, if something is connected to {name}; otherwise its accelerations and \
                 loads leave the equations\"\n    annotation (Evaluate = true, HideResult = true, Dialog(tab = \"Advanced\"), \
                 choices(checkBox = true))",
                switch(name)
            )
        })
    }

    /// The numbers of frames in use before each, and of all.
    pub fn counts(&self) -> Vec<String> {
        let declared = |name: String, frames: &[String], what: &str| {
            let sum = frames.iter().map(|frame| number(frame)).collect::<Vec<_>>().join(" + ");
            format!(
                "final parameter Integer {name} = {sum} \"Number of inner frames in use{what}\" annotation (Evaluate = true)"
            )
        };
        let before = self.0.iter().enumerate().skip(1);
        let mut counts: Vec<_> =
            before.map(|(i, name)| declared(offset(name), &self.0[..i], &format!(" before {name}"))).collect();
        if !self.0.is_empty() {
            counts.push(declared(COUNT.to_owned(), &self.0, ""));
        }
        counts
    }

    /// For each frame 1 if it is in use, else 0.
    pub fn numbers(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|name| number(name))
    }

    /// The equations of the last frame of the list: its motion and loads if it is in use, otherwise its motion alone.
    pub fn equations(&self, motion: &[String], loads: &[String], known: &str) -> String {
        let [number, name] = [self.0.len().to_string(), self.0.last().cloned().unwrap_or_default()];
        let lines = |equations: &[String]| equations.iter().map(|line| format!("    {line};\n")).collect::<String>();
        let switch = switch(&name);
        let otherwise = [
            format!("({name}.r_0, {name}.R.T, {name}.R.w) = Internal.innerFrame(fmu, ready, {number}, {known})"),
            format!(
                "assert({name}.f*{name}.f + {name}.t*{name}.t <= 0, \"{name} carries a load, but {switch} = false says that \
                 nothing is connected to it\")"
            ),
        ];
        format!("if {switch} then\n{}{}  else\n{}  end if", lines(motion), lines(loads), lines(&otherwise))
    }

    /// The equations of the loads of the last frame of the list, in the array of loads that the FMU takes.
    pub fn load_equations(&self, array: &str, values: &[String]) -> Vec<String> {
        let begin = COORDINATES * (self.0.len() - 1);
        let index = |i| self.index(begin + i, COORDINATES, true);
        (1..).zip(values).map(|(i, value)| format!("{array}[{}] = {value}", index(i))).collect()
    }
}

fn switch(name: &str) -> String {
    format!("use_{name}")
}

fn offset(name: &str) -> String {
    format!("before_{name}")
}

fn number(name: &str) -> String {
    format!("(if {} then 1 else 0)", switch(name))
}
