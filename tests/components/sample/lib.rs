//! Sample: an oscillator with one of everything that the runtime can do.

use fmu_runtime::DefaultExperiment;
use fmu_runtime::{
    Context, Diagnostics, Equations, Event, Events, Indicators, Memory, ModelError, Scalar, Source, Table, Text,
    enumeration, group, model, structure,
};
use nalgebra::{Matrix3, Vector3};

model! {
    /// A mass on a spring that counts how often a period has passed.
    ///
    /// ```text
    /// x' = v,   v' = a,   m a = gain u - k x - d v
    /// omega = sqrt(k / m)
    /// count = number of multiples of period up to now
    /// ```
    ///
    /// Source: the textbooks.
    pub struct Sample<T>(s: Structure, data: Vec<[f64; 2]>): Events + Indicators + Memory {
        parameter m: T = 2.0, KG, "Mass", min = 1e-3;
        tunable   k: T = 8.0, N_PER_M, "Stiffness", min = 0.0, max = 1e6;
        parameter d: T = 0.4, NS_PER_M, "Damping", min = 0.0, when = s.damped;
        parameter v_start: T = 0.0, M_PER_S, "Initial velocity";
        parameter period: T = 0.25, S, "Time between two counts", min = 1e-3;
        tunable   trouble: Trouble = Trouble::none, "What the equations do wrong";
        parameter since: T = 10.0, S, "Time from which they do so, later than the builder evaluates them at random";
        parameter place: Place = Place::evaluate, "Where they do so";
        parameter axis: Vector3<T> = [1.0, 0.0, 0.0], ONE, "A vector";
        parameter shape: Matrix3<T> = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]], ONE, "A matrix";
        parameter steps: i32 = 20, "A whole number with bounds", min = 1.0, max = 1000.0;
        parameter label: Text = "sample", "A text";
        parameter axes: [i32; 3] = [1, 2, 3], "Whole numbers";

        input  u: T, N, "Force";
        input  gain: i32 = 1, "Factor of the force", min = -100.0, max = 100.0;
        input  hold: bool, "Whether counting is suspended";
        input  level: T, ONE, "A level that changes at events", discrete = true;

        calculated omega: T, RAD_PER_S, "Undamped angular frequency", quantity = "AngularFrequency";
        state x: T = 0.5, M, "Position", der = v;
        state v: T, M_PER_S, "Velocity", der = a;
        output a: T, M_PER_S2, "Acceleration";
        output count: i32, "Number of periods";
        output held: bool, "Whether counting is suspended";
        output sensor: Sensor<T>, "Sensor";
        output looked_up: T, ONE, "Second column of the table at abs(x)";
        local  energy: T, J, "Energy";
        memory next: T, S, "When the next count is due";

        parameter lookup: Table<2> = &[[0.0, 1.0], [1.0, 3.0]], "Abscissa and ordinate";
    }
}

group! {
    /// Two vectors of a sensor.
    pub struct Sensor<T>(_o: ()) {
        r: Vector3<T>, M, "position along axis";
        f: Vector3<T>, N, "force of the spring through shape", quantity = "";
    }
}

structure! {
    /// The structure options of the sample.
    pub struct Structure {
        damped: bool = true, "Whether there is a damper";
        flavour: Flavour = Flavour::plain, "Has no effect";
    }
}

enumeration! {
    /// Items.
    pub enum Flavour {
        plain | "simple" = "the usual one",
        rich = "the other one",
    }
}

enumeration! {
    /// Kinds of failures.
    pub enum Trouble {
        none = "nothing",
        panic = "a bug in the component",
        invalid = "wrong input",
        singular = "no solution here",
    }
}

enumeration! {
    /// The functions of a component that can fail.
    pub enum Place {
        evaluate = "in an evaluation",
        prepare = "while parameters are prepared, whatever the time",
        initialise = "in the initialisation",
        indicators = "in event indicators",
        event = "at an event",
        completed_step = "after a step, having warned",
    }
}

impl<T: Scalar> Equations<T> for Sample<T> {
    const DESCRIPTION: &'static str = "An oscillator with one of everything that the runtime can do";
    const ICON: &'static str =
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 1h6v6h-6z" fill="#468"/></svg>"##;
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(2.0, 0.01);

    fn prepare(&self, source: &Source<'_, Structure>) -> Result<Self::Data, ModelError> {
        // The time is one that no random point has.
        if self.since.value() == BEFORE_ALL {
            self.go_wrong(self.since, Place::prepare)?;
        }
        if source.text(self.label).is_empty() {
            return Err(ModelError::invalid("label is empty, but must have at least one letter"));
        }
        let rows = source.table(self.lookup);
        let rows = if source.is_dependency_analysis() { &SLOPING[..rows.len().min(2)] } else { rows };
        Ok(rows.to_vec())
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.go_wrong(cx.time, Place::initialise)?;
        self.v = self.v_start;
        self.count = 0;
        self.next = cx.time + self.period;
        Ok(())
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.go_wrong(cx.time, Place::evaluate)?;
        self.omega = (self.k / self.m).sqrt();
        let damping = if cx.structure.damped { self.d } else { T::zero() };
        let gain: T = nalgebra::convert(f64::from(self.gain));
        self.a = (gain * self.u - self.k * self.x - damping * self.v) / self.m;
        self.held = self.hold;
        self.energy = (self.m * self.v * self.v + self.k * self.x * self.x) * nalgebra::convert::<f64, T>(0.5);
        self.sensor.r = self.axis * self.x;
        self.sensor.f = self.shape * self.axis * (-self.k * self.x);
        let [first, last] = [cx.data[0], cx.data[cx.data.len() - 1]].map(|row| row.map(nalgebra::convert::<f64, T>));
        let slope = if cx.data.len() > 1 { (last[1] - first[1]) / (last[0] - first[0]) } else { T::zero() };
        self.looked_up = first[1] + slope * (self.x.abs() - first[0]);
        Ok(())
    }
}

impl<T: Scalar> Events<T> for Sample<T> {
    fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), ModelError> {
        self.go_wrong(cx.time, Place::event)?;
        if cx.time >= self.next {
            self.count += i32::from(!self.hold);
            self.next += self.period;
            event.again = cx.time >= self.next;
        }
        event.next_time = Some(self.next.value());
        Ok(())
    }
}

impl<T: Scalar> Indicators<T> for Sample<T> {
    const COUNT: usize = 1;

    fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
        self.panic(cx.time, Place::indicators);
        indicators[0] = self.x;
    }
}

impl<T: Scalar> Memory<T> for Sample<T> {
    fn completed_step(&mut self, cx: &Context<'_, T, Self>, diagnostics: &mut Diagnostics) {
        if self.place == Place::completed_step && cx.time >= self.since {
            diagnostics.warn("the step is not complete yet");
        }
        self.panic(cx.time, Place::completed_step);
        if self.count == 3 && self.x < T::zero() {
            diagnostics.warn("position is negative at the third count");
        }
    }
}

/// Rows that hide no dependency.
const SLOPING: [[f64; 2]; 2] = [[0.0, 1.0], [1.0, 3.0]];

/// The value of `since` at which preparing goes wrong, which knows no time.
pub const BEFORE_ALL: f64 = -12345.0;

impl<T: Scalar> Sample<T> {
    fn go_wrong(&self, time: T, place: Place) -> Result<(), ModelError> {
        match self.trouble {
            _ if time < self.since || place != self.place => Ok(()),
            Trouble::none => Ok(()),
            Trouble::panic => panic!("trouble is panic, 100 % certain"),
            Trouble::invalid => Err(ModelError::invalid("trouble is invalid, but must be none")),
            Trouble::singular => Err(ModelError::singular("trouble is singular, but must be none")),
        }
    }

    /// Panics, where an error is not possible.
    fn panic(&self, time: T, place: Place) {
        if self.trouble == Trouble::panic {
            let _ = self.go_wrong(time, place);
        }
    }
}
