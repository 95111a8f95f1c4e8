//! Inputs of the system that give inputs of several parts their values.

use fmu_runtime::lifecycle::Interface;
use fmu_runtime::{Connector, Scalar, Trial, group};
use systems::part::{Kinematics, Loads, Part, PartType, Solution, Typed};

use crate::fixture::{INTERFACES, train};

const TRAIN: &str = "motor Torque flange=engine.flange_a tau=30
    engine Inertia J=1 w_start=100
    one Clutch flange_a=engine.flange_b flange_b=middle.flange_a fn_max=40 cgeo=1.5 $a
    middle Inertia J=0.5
    shaft SpringDamper flange_a=middle.flange_b flange_b=load.flange_a c=500 d=3
    load Inertia J=2
    hold Brake flange_a=load.flange_b fn_max=15 $b";

fn pedals(interface: Interface) -> [Trial; 2] {
    let fed = |a: &str, b: &str| train(interface, &TRAIN.replace("$a", a).replace("$b", b));
    [fed("f_normalized=input.pedal", "f_normalized=input.pedal"), fed("", "")]
}

const SEPARATE: [&str; 2] = ["one.f_normalized", "hold.f_normalized"];

/// One shared input acts as both inputs set alike, to the last bit, also where it varies inside a step and brings
/// elements to rest.
#[test]
fn one_input_is_several() {
    for interface in INTERFACES {
        let [mut shared, mut separate] = pedals(interface);
        for i in 0..60 {
            let pedal = if i < 40 { 0.02 * f64::from(i) } else { 0.3 };
            let slope = if i < 40 { 0.4 } else { 0.0 };
            shared.set("pedal", pedal);
            SEPARATE.iter().for_each(|name| separate.set(name, pedal));
            if interface == Interface::CoSimulation {
                shared.set_derivatives("pedal", &[slope]);
                SEPARATE.iter().for_each(|name| separate.set_derivatives(name, &[slope]));
            }
            shared.step(0.05);
            separate.step(0.05);
            for name in ["engine.w", "middle.a", "load.phi", "one.tau", "hold.tau", "one.f_normalized"] {
                assert_eq!(shared.real(name), separate.real(name), "{name} {i} {interface:?}");
            }
            assert_eq!(shared.integer("one.mode"), separate.integer("one.mode"));
            for unknown in ["engine.a", "load.a", "hold.tau"] {
                let sum: f64 = SEPARATE.iter().map(|known| separate.directional_derivative(unknown, known)).sum();
                let found = shared.directional_derivative(unknown, "pedal");
                assert!((found - sum).abs() <= 1e-9 * sum.abs().max(1.0), "{unknown}: {found} {sum}");
            }
        }
    }
}

group! {
    /// A torque that is on or off, in steps.
    pub struct Switched<T>(_o: ()) {
        input level: i32 = 2, "Torque in N.m";
        input on: bool = true, "Whether it acts";
        output tau: T, N_M, "Torque";
    }
}

impl PartType for Switched<f64> {
    const NAME: &'static str = "Switched";
    const TEXT: &'static str = "A torque that is on or off";
    type Structure = ();
    type In<T: Scalar> = Switched<T>;

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        vec![("flange", Connector::Flange_b)]
    }

    fn options((): &(), _: bool) {}
}

impl<T: Scalar> Switched<T> {
    fn torque(&self) -> T {
        let level = if self.on { self.level } else { 0 };
        (0..level).fold(T::zero(), |sum, _| sum + T::one())
    }
}

systems::capabilities!(Switched: Loads);

impl<T: Scalar> Part<T> for Switched<T> {
    type Structure = ();

    fn set_outputs(&mut self, (): &(), _: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.tau = self.torque();
    }
}

impl<T: Scalar> Loads<T> for Switched<T> {
    fn loads(&self, (): &(), _: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        add(0, self.torque());
    }
}

#[test]
fn whole_numbers_and_truth_values_are_shared() {
    for interface in INTERFACES {
        let structure = [
            ("a.type", "Switched"),
            ("b.type", "Switched"),
            ("shaft.type", "Inertia"),
            ("a.flange", "shaft.flange_a"),
            ("b.flange", "shaft.flange_b"),
            ("a.on", "input.on"),
            ("b.on", "input.on"),
            ("a.level", "input.a"),
            ("b.level", "input.b"),
        ];
        let model = systems::system(vec![Box::<Typed<Switched<f64>>>::default()]);
        let mut train = Trial::of_model(interface, model, &structure);
        train.set("b", 5);
        assert_eq!((train.real("a.tau"), train.real("b.tau")), (2.0, 5.0));
        train.step(1.0);
        assert!((train.real("shaft.w") - 7.0).abs() < 1e-9);
        train.set("on", false);
        train.step(1.0);
        assert!((train.real("shaft.w") - 7.0).abs() < 1e-9 && !train.boolean("b.on"));
        train.set("on", true);
        train.set("a", 1);
        train.step(1.0);
        assert!((train.real("shaft.w") - 13.0).abs() < 1e-9);
    }
}

fn refused(lines: &str) -> String {
    let failure = std::panic::catch_unwind(|| train(INTERFACES[0], lines).real("a.w")).expect_err("is refused");
    failure.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn what_is_no_signal_is_refused() {
    let text = "a Inertia\nb Inertia\ndrive Position flange=a.flange_a $\nbrake Brake flange_a=b.flange_a\ng IdealGear flange_a=a.flange_b flange_b=b.flange_b";
    for key in ["w", "a"] {
        let message = refused(&text.replace('$', &format!("phi=input.y {key}=input.x")));
        let reason = "it follows from the input that gives the motion: connect that one alone";
        assert!(message.contains(&format!("drive.{key} = \"input.x\": {reason}")), "{message}");
    }
    let message = refused(&text.replace('$', "tau=input.x"));
    assert!(message.contains("drive.tau = \"input.x\": there is no such input"), "{message}");
}
