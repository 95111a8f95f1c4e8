//! Energy that the integrator loses in long runs, as docs/integration.md says.

use fmu_runtime::{Context, DefaultExperiment, Equations, ModelError, Scalar, Trial, model};

model! {
    /// phi' = w,   w' = -g sin phi
    pub struct Pendulum<T> {
        parameter g: T = 9.81, ONE, "Gravity divided by the length";
        state phi: T = std::f64::consts::FRAC_PI_2, RAD, "Angle", der = w;
        state w: T = 0.0, RAD_PER_S, "Angular velocity", der = a;
        output a: T, RAD_PER_S2, "Angular acceleration";
    }
}

impl<T: Scalar> Equations<T> for Pendulum<T> {
    const DESCRIPTION: &'static str = "Swings";
    const ICON: &'static str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(1.0, 0.1);

    fn evaluate(&mut self, _: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.a = -self.g * self.phi.sin();
        Ok(())
    }
}

/// Returns the fraction of the energy that is lost in 1000 s, in steps of `h` in s.
fn lost(tolerance: f64, h: f64) -> f64 {
    let mut pendulum = Trial::new::<Pendulum<f64>>(&[]);
    pendulum.set_tolerance(tolerance);
    let steps = (1000.0 / h).round() as usize;
    (0..steps).for_each(|_| pendulum.step(h));
    let (phi, w, g) = (pendulum.real("phi"), pendulum.real("w"), 9.81);
    1.0 - (g * (1.0 - phi.cos()) + 0.5 * w * w) / g
}

#[test]
fn the_losses_of_a_pendulum_are_those_of_the_page() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/integration.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("| tolerance | energy lost in 1000 s |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<f64>> =
        rows.map(|row| row.split('|').filter_map(|cell| cell.trim().parse().ok()).collect()).collect();
    assert_eq!(rows.len(), 6);
    for row in &rows {
        let (tolerance, told) = (row[0], row[1]);
        let found = lost(tolerance, 1.0);
        assert!((0.8..1.25).contains(&(found / told)), "{tolerance}: {found:e}, but the page says {told:e}");
    }
    // Inside the steps of the integrator states are interpolated, whatever the communication steps are.
    let share = lost(1e-6, 0.01) / lost(1e-6, 1.0);
    assert!((0.3..1.25).contains(&share), "{share}");
}
