//! Types of parts besides the built-in ones.

use fmu_runtime::configuration::Configuration;
use fmu_runtime::lifecycle::Interface;
use fmu_runtime::model::Layout;
use fmu_runtime::{ComponentModel, Connector, Scalar, Trial, group};
use systems::part::{Kinematics, Loads, Part, PartType, Solution, Typed};

use crate::fixture::INTERFACES;

group! {
    /// Viscous drag on a shaft.
    pub struct Drag<T>(_o: ()) {
        parameter d: T = 0.0, NMS_PER_RAD, "Drag coefficient";
        output tau: T, N_M, "Drag";
    }
}

const NAMES: [&str; 5] = ["Drag", "Inertia", "Rotational.Clutch", "viscous drag", "2Drag"];

/// A type of part with one of the names.
struct Called<const NAME: usize>;

impl<const NAME: usize> PartType for Called<NAME> {
    const NAME: &'static str = NAMES[NAME];
    const TEXT: &'static str = "Viscous drag on a shaft";
    type Structure = ();
    type In<T: Scalar> = Drag<T>;

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        vec![("flange", Connector::Flange_b)]
    }

    fn options((): &(), _: bool) {}
}

systems::capabilities!(Drag: Loads);

impl<T: Scalar> Part<T> for Drag<T> {
    type Structure = ();

    fn warning(&self) -> Option<String> {
        (self.d.value() == 0.0).then(|| "d is 0: there is no drag".to_owned())
    }

    fn set_outputs(&mut self, (): &(), motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.tau = self.d * motion.v(0);
    }
}

impl<T: Scalar> Loads<T> for Drag<T> {
    fn loads(&self, (): &(), motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        add(0, -self.d * motion.v(0));
    }
}

fn model<const NAME: usize>() -> Box<dyn ComponentModel> {
    systems::system(vec![Box::<Typed<Called<NAME>>>::default()])
}

#[test]
fn one_acts_as_built_in_parts_do() {
    let trial = |interface: Interface, brake: &[(&str, &str)], d: &str| {
        let structure =
            [&[("wheel.type", "Inertia"), ("gear.type", "IdealGear"), ("out.type", "Inertia")], brake].concat();
        let gear = [("gear.flange_a", "wheel.flange_b"), ("gear.flange_b", "out.flange_a")];
        let mut trial = Trial::of_model(interface, model::<0>(), &[&structure[..], &gear].concat());
        for (name, value) in [("gear.ratio", 3.0), ("out.J", 4.0), ("wheel.w_start", 5.0), (d, 0.7)] {
            trial.set(name, value);
        }
        trial
    };
    for interface in INTERFACES {
        let mut own = trial(interface, &[("drag.type", "Drag"), ("drag.flange", "out.flange_b")], "drag.d");
        let built_in = [
            ("drag.type", "Damper"),
            ("wall.type", "Fixed"),
            ("drag.flange_a", "wall.flange"),
            ("drag.flange_b", "out.flange_b"),
        ];
        let mut damped = trial(interface, &built_in, "drag.d");
        for i in 0..20 {
            for name in ["wheel.phi", "wheel.w", "out.a", "drag.tau"] {
                let (own, damped) = (own.real(name), damped.real(name));
                assert!((own - damped).abs() < 1e-12, "{name}: {own} {damped}");
            }
            // The expected motion is that of one inertia at the wheel.
            let expected = 5.0 * f64::exp(-0.7 / 9.0 / (1.0 + 4.0 / 9.0) * 0.1 * f64::from(i));
            assert!((own.real("wheel.w") - expected).abs() < 1e-5);
            let slope = own.directional_derivative("out.a", "wheel.w");
            assert!((slope + 0.7 / 27.0 / (1.0 + 4.0 / 9.0)).abs() < 1e-12, "{slope}");
            own.step(0.1);
            damped.step(0.1);
        }
    }
}

#[test]
fn its_warnings_are_heard() {
    let mut model = model::<0>();
    for (option, value) in [("drag.type", "Drag"), ("wheel.type", "Inertia"), ("drag.flange", "wheel.flange_b")] {
        model.set_structure(option, value).unwrap();
    }
    let layout = Layout::new(&|visitor| model.declare(visitor), &Configuration::default()).unwrap();
    assert_eq!(model.validate_configuration(&layout.start).unwrap(), ["drag.d is 0: there is no drag"]);
}

#[test]
fn names_that_cannot_be_are_refused() {
    let refused = |mut model: Box<dyn ComponentModel>, name: &str| model.set_structure("a.type", name).unwrap_err();
    let message = refused(model::<0>(), "Drg");
    assert!(message.starts_with("part \"a\" has the unknown type \"Drg\"; available: Inertia, "), "{message}");
    assert!(message.ends_with(", CutForceAndTorque, MultiBody.Power, Drag"), "{message}");
    let twice = |name: &str| format!("two types of parts are named \"{name}\": give your own another NAME");
    assert_eq!(refused(model::<1>(), "Inertia"), twice("Inertia"));
    assert_eq!(refused(model::<2>(), "Inertia"), twice("Rotational.Clutch"));
    for (model, name) in [(model::<3>(), "viscous drag"), (model::<4>(), "2Drag")] {
        let right = "use letters, digits and underscores, starting with a letter";
        assert_eq!(refused(model, "Inertia"), format!("a type of parts cannot be named \"{name}\": {right}"));
    }
}
