//! The oscillator with fmu_from_struct.

use fmu_from_struct::prelude::*;

#[derive(Fmu, Default)]
#[fmu_from_struct(fmi_version = 2)]
pub struct Oscillator {
    #[fmu_from_struct(parameter)]
    #[fmu_from_struct(start_value = 0.1)]
    pub j: f64,
    #[fmu_from_struct(start_value = 100.0)]
    pub c: f64,
    #[fmu_from_struct(start_value = 0.1001)]
    pub d: f64,
    #[fmu_from_struct(input)]
    #[fmu_from_struct(start_value = 1.0)]
    pub tau: f64,
    #[fmu_from_struct(output)]
    pub phi: f64,
    pub w: f64,
    pub a: f64,
}

impl FmuFunctions for Oscillator {
    fn do_step(&mut self, _: f64, h: f64) {
        let a = (self.tau - self.c * self.phi - self.d * self.w) / self.j;
        self.phi += h * self.w;
        self.w += h * a;
        self.a = (self.tau - self.c * self.phi - self.d * self.w) / self.j;
    }
}
