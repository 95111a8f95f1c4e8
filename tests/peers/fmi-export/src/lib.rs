//! The oscillator with fmi-export.

use fmi::fmi3::{Fmi3Error, Fmi3Res};
use fmi_export::FmuModel;
use fmi_export::fmi3::{CSDoStepResult, Context, DefaultLoggingCategory, UserModel};

#[derive(FmuModel, Default, Debug)]
#[model(model_exchange = false, co_simulation = true, user_model = false)]
struct Oscillator {
    #[variable(causality = Parameter, variability = Tunable, start = 0.1, initial = Exact)]
    j: f64,
    #[variable(causality = Parameter, variability = Tunable, start = 100.0, initial = Exact)]
    c: f64,
    #[variable(causality = Parameter, variability = Tunable, start = 0.1001, initial = Exact)]
    d: f64,
    #[variable(causality = Input, variability = Continuous, start = 1.0)]
    tau: f64,
    #[variable(causality = Output, variability = Continuous, start = 0.0, initial = Exact)]
    phi: f64,
    #[variable(causality = Output, variability = Continuous, start = 0.0, initial = Exact)]
    w: f64,
    #[variable(causality = Output, variability = Continuous, initial = Calculated)]
    a: f64,
}

impl UserModel for Oscillator {
    type LoggingCategory = DefaultLoggingCategory;

    fn calculate_values(&mut self, _: &dyn Context<Self>) -> Result<Fmi3Res, Fmi3Error> {
        self.a = (self.tau - self.c * self.phi - self.d * self.w) / self.j;
        Ok(Fmi3Res::OK)
    }

    fn do_step(
        &mut self,
        context: &mut dyn Context<Self>,
        time: f64,
        h: f64,
        _: bool,
    ) -> Result<CSDoStepResult, Fmi3Error> {
        context.set_time(time);
        self.calculate_values(context)?;
        self.phi += h * self.w;
        self.w += h * self.a;
        context.set_time(time + h);
        Ok(CSDoStepResult::completed(time + h))
    }
}

fmi_export::export_fmu!(Oscillator);
