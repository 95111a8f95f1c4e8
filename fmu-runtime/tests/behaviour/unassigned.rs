//! Variables that no equation assigns are found when the declaration is made.

use fmu_runtime::{
    Context, DeclarationRequest, DefaultExperiment, Equations, Indicators, InitialValue, ModelError, Scalar,
    component_model, declaration, enumeration, model, structure,
};

model! {
    /// T' = dT,   C dT = heat - G T;   at the start T follows from the loss
    pub struct Oven<T>(s: Structure): Indicators {
        parameter C: T = 2.0, ONE, "Heat capacity", min = 0.1;
        parameter G: T = 1.0, ONE, "Conductance", min = 0.0;
        input heat: T = 1.0, ONE, "Heat flow";
        calculated tau: T, S, "Time constant", when = s.mistake != Mistake::absent;
        local T: T = 0.0, ONE, "Temperature", der = dT;
        local dT: T, ONE, "Rate";
        output loss: T = 1.0, ONE, "Lost heat", initial = InitialValue::guess;
        output row: [i32; 3], "Whole numbers";
        output is_on: bool, "Whether it is heated";
    }
}

structure! {
    /// The structure options.
    pub struct Structure {
        mistake: Mistake = Mistake::none, "What is wrong";
    }
}

enumeration! {
    /// The variable that is not assigned.
    pub enum Mistake {
        none = "nothing",
        absent = "a variable that does not exist",
        calculated = "the calculated parameter",
        derivative = "the derivative",
        two = "the derivative, and the loss, which depends on it",
        branch = "the loss where there is no heat",
        sum = "the loss is added to the old one",
        integer = "the second whole number",
        boolean = "the truth value",
        indicator = "the second event indicator",
        seldom = "the second event indicator where there is no heat",
    }
}

impl<T: Scalar> Equations<T> for Oven<T> {
    const DESCRIPTION: &'static str = "An oven";
    const ICON: &'static str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 0.1);

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        if !matches!(cx.structure.mistake, Mistake::calculated | Mistake::absent) {
            self.tau = self.C / self.G;
        }
        self.T = self.loss / self.G;
        Ok(())
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let mistake = cx.structure.mistake;
        if !matches!(mistake, Mistake::derivative | Mistake::two) {
            self.dT = (self.heat - self.G * self.T) / self.C;
        }
        match mistake {
            Mistake::two => self.loss = self.dT,
            Mistake::sum => self.loss += self.G * self.T,
            Mistake::branch if self.heat < T::one() => {}
            _ => self.loss = self.G * self.T,
        }
        (self.row[0], self.row[2]) = (1, 3);
        if mistake != Mistake::integer {
            self.row[1] = 2;
        }
        if mistake != Mistake::boolean {
            self.is_on = self.heat > T::zero();
        }
        Ok(())
    }
}

impl<T: Scalar> Indicators<T> for Oven<T> {
    const COUNT: usize = 2;

    fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
        indicators[0] = self.T;
        match cx.structure.mistake {
            Mistake::indicator => {}
            Mistake::seldom if self.heat < T::one() => {}
            _ => indicators[1] = self.heat,
        }
    }
}

#[test]
fn variables_that_are_not_assigned_are_named() {
    let depends =
        "depends on values of an earlier call: `evaluate` must not read what it computes before it has set it";
    let seldom = "is not always assigned, and keeps the value of an earlier call: set it in each branch of `evaluate`";
    for (mistake, expected) in [
        ("none", None),
        ("absent", None),
        ("calculated", Some("\"tau\" is never assigned: set it in `initialise`")),
        ("derivative", Some("\"dT\", the derivative of \"T\", is never assigned: set it in `evaluate`")),
        ("two", Some("\"dT\", the derivative of \"T\", is never assigned: set it in `evaluate`")),
        ("branch", Some(&*format!("\"loss\" {seldom}"))),
        ("sum", Some(&format!("\"loss\" {depends}"))),
        ("integer", Some("\"row[2]\" is never assigned: set it in `evaluate`")),
        ("boolean", Some("\"is_on\" is never assigned: set it in `evaluate`")),
        ("indicator", Some("event indicator 2 of 2 is never set: `indicators` sets each")),
        ("seldom", Some("event indicator 2 of 2 is not always set: `indicators` sets each")),
    ] {
        let mut model = component_model::<Oven<f64>>();
        let configuration = format!("structure mistake {mistake}\n");
        let result = declaration(model.as_mut(), DeclarationRequest::new(&configuration));
        assert_eq!(result.err().as_deref(), expected, "{mistake}");
    }
}
