//! The function `mechanics_linear`: accelerations and loads by given ones, beside the outputs themselves.

use fmu_builder::description::{Causality, Description, VariableType};
use fmu_runtime::lifecycle::{Call, Interface};
use fmu_runtime::log::Status;
use fmu_runtime::{ComponentModel, Instance, Outcome, component_model};
use fmu_tests::finished::describe;
use fmu_tests::in_process;
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

type Model = fn() -> Box<dyn ComponentModel>;

/// Step of the differences, a large power of two: differences of affine functions are exact for any step, and then have
/// the least rounding.
const STEP: f64 = 1_048_576.0;

struct Assembly {
    description: Description,
    instance: Instance,
}

impl Assembly {
    fn new(model: Model, component: &str, settings: &[&str]) -> Self {
        let description = describe(component, settings).unwrap();
        let instance = in_process::instance(model(), &description, Interface::ModelExchange);
        let mut assembly = Self { description, instance };
        assembly.call(Call::fmi2EnterInitializationMode, Instance::enter_initialization_mode);
        assembly.call(Call::fmi2ExitInitializationMode, Instance::exit_initialization_mode);
        assembly.call(Call::fmi2EnterContinuousTimeMode, Instance::enter_continuous_time_mode);
        assembly
    }

    fn call(&mut self, call: Call, body: impl FnOnce(&mut Instance) -> Outcome) {
        assert_eq!(self.instance.call(call, body), Status::Ok, "{call:?}");
    }

    /// Returns names and references of Reals.
    fn reals(&self, causality: Causality) -> Vec<(String, u32)> {
        let variables = self.description.variables.iter();
        let wanted = variables.filter(|variable| variable.causality == causality && variable.is_real());
        wanted.map(|variable| (variable.name.clone(), variable.value_reference)).collect()
    }

    fn set(&mut self, name: &str, values: &[f64]) {
        let inputs = self.reals(Causality::Input);
        let of_name = |input: &&(String, u32)| input.0.split('[').next() == Some(name);
        let references: Vec<u32> = inputs.iter().filter(of_name).map(|(_, reference)| *reference).collect();
        assert_eq!(references.len(), values.len(), "{name}");
        self.call(Call::fmi2SetReal, |instance| instance.set_real(&references, values));
    }

    fn start(&self, name: &str) -> Vec<f64> {
        let of_name = |variable: &&fmu_builder::description::Variable| variable.name.split('[').next() == Some(name);
        let start = |variable: &fmu_builder::description::Variable| match variable.kind {
            VariableType::Real { start, .. } => start.unwrap(),
            _ => panic!("{name}"),
        };
        self.description.variables.iter().filter(of_name).map(start).collect()
    }

    fn outputs(&mut self, references: &[u32]) -> Vec<f64> {
        let mut values = Vec::new();
        self.call(Call::fmi2GetReal, |instance| {
            values.extend(instance.get_real(references)?);
            Ok(())
        });
        values
    }

    /// Moves both outer frames: displacement, rotation vector and velocities of each.
    fn r#move(&mut self, motion: &[[f64; 12]; 2]) {
        for (frame, motion) in ["frame_a", "frame_b"].iter().zip(motion) {
            let [displacement, turn, v_0, w] = [0, 3, 6, 9].map(|i| &motion[i..i + 3]);
            let start = self.start(&format!("{frame}.r_0"));
            let r_0: Vec<f64> = start.iter().zip(displacement).map(|(start, by)| start + 0.2 * by).collect();
            let rotation = Rotation3::from_scaled_axis(Vector3::from_column_slice(turn) * 0.3);
            self.set(&format!("{frame}.r_0"), &r_0);
            if self.start(&format!("{frame}.Q")).is_empty() {
                self.set(&format!("{frame}.R.T"), rotation.matrix().as_slice());
            } else {
                let q = UnitQuaternion::from_rotation_matrix(&rotation);
                self.set(&format!("{frame}.Q"), &[q.i, q.j, q.k, q.w]);
            }
            self.set(&format!("{frame}.v_0"), v_0);
            self.set(&format!("{frame}.R.w"), w);
        }
    }

    /// Returns A, by rows, and b; nothing where the assembly has no solution.
    fn linear_form(&mut self, outputs: &[u32], inputs: &[u32]) -> Option<(Vec<f64>, Vec<f64>)> {
        let (mut factors, mut rest) = (vec![0.0; outputs.len() * inputs.len()], Vec::new());
        let status = self.instance.call(Call::mechanics_linear, |instance| {
            rest.extend(instance.linear_form(outputs, inputs, &mut factors)?);
            Ok(())
        });
        if status == Status::Ok {
            return Some((factors, rest));
        }
        // A solver may try another step.
        assert_eq!(status, Status::Discard);
        None
    }
}

fn is_acceleration_or_load(name: &str) -> bool {
    let member = name.split('[').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    ["a_0", "z", "f", "t", "tau"].contains(&member)
}

/// Compares A and b with differences of the outputs at random motions.
fn check(model: Model, component: &str, settings: &[&str]) {
    let mut assembly = Assembly::new(model, component, settings);
    let mut inputs = assembly.reals(Causality::Input);
    inputs.retain(|(name, _)| is_acceleration_or_load(name));
    let outputs = assembly.reals(Causality::Output);
    let (z, y): (Vec<u32>, Vec<u32>) = (inputs.iter().map(|z| z.1).collect(), outputs.iter().map(|y| y.1).collect());
    let motion = [prop::array::uniform12(-1.0..1.0_f64), prop::array::uniform12(-1.0..1.0_f64)];
    let mut runner = TestRunner::deterministic();
    let mut solved = 0;
    for _ in 0..64 {
        assembly.r#move(&motion.new_tree(&mut runner).unwrap().current());
        let Some((factors, rest)) = assembly.linear_form(&y, &z) else { continue };
        solved += 1;
        if solved == 1 {
            // A variable that is listed twice has its derivatives twice.
            let (twice, _) = assembly.linear_form(&[&y[..], &y].concat(), &[&z[..], &z].concat()).unwrap();
            let expected = factors.chunks(z.len()).flat_map(|row| [row, row].concat()).collect::<Vec<_>>();
            assert_eq!(twice, [&expected[..], &expected].concat(), "{component} {settings:?}");
        }
        assert_eq!(assembly.outputs(&y), rest, "{component} {settings:?}: the outputs without accelerations and loads");
        for (column, (input, reference)) in inputs.iter().enumerate() {
            assembly.call(Call::fmi2SetReal, |instance| instance.set_real(&[*reference], &[STEP]));
            let moved = assembly.outputs(&y);
            assembly.call(Call::fmi2SetReal, |instance| instance.set_real(&[*reference], &[0.0]));
            for (row, (output, _)) in outputs.iter().enumerate() {
                let (found, expected) = (factors[row * z.len() + column], (moved[row] - rest[row]) / STEP);
                assert!(
                    (found - expected).abs() <= 1e-9 * (1.0 + expected.abs()),
                    "{component} {settings:?}: {output} by {input} is {found}, not {expected}"
                );
            }
        }
    }
    assert!(solved > 16, "{component}: only {solved} motions have a solution");
}

macro_rules! assemblies {
    ($($test:ident: $Joint:ty, $component:literal, $settings:expr;)*) => {$(
        #[test]
        fn $test() {
            check(component_model::<$Joint>, $component, &$settings);
        }
    )*};
}

assemblies! {
    joint_ups: joint_ups::JointUPS<f64>, "joint-ups", ["nAxis_ia=[1,0.4,0.2]"];
    joint_usr: joint_usr::JointUSR<f64>, "joint-usr", ["n_b=[0.1,0.2,1]"];
    joint_usp: joint_usp::JointUSP<f64>, "joint-usp", ["n_b=[-1,0.2,0.1]"];
    joint_rrr: joint_rrr::JointRRR<f64>, "joint-rrr", ["unwrapAngle=true"];
    joint_rrp: joint_rrp::JointRRP<f64>, "joint-rrp", ["n_b=[-2,0.5,0]"];
    joint_ssr: joint_ssr::JointSSR<f64>, "joint-ssr", [];
    joint_ssp: joint_ssp::JointSSP<f64>, "joint-ssp", [];
    joint_ssr_with_mass: joint_ssr::JointSSR<f64>, "joint-ssr", ["rod1Mass=2"];
    joint_ssp_with_mass: joint_ssp::JointSSP<f64>, "joint-ssp", ["rod1Mass=2", "g=[1,2,3]"];
    the_rod_force_of_the_library: joint_ssp::JointSSP<f64>, "joint-ssp", ["rod1Mass=2", "mslRodForce=true"];
    quaternions: joint_usp::JointUSP<f64>, "joint-usp", ["orientation=quaternion"];
    loads_out_of_the_component: joint_ssr::JointSSR<f64>, "joint-ssr", ["rod1Mass=2", "flows=outflow"];
    // The total power is differentiated by dual numbers, column by column.
    the_total_power: joint_ssp::JointSSP<f64>, "joint-ssp", ["rod1Mass=2", "checkTotalPower=true"];
}

/// A bushing knows no linear form: its loads are linear in velocities, not in positions.
#[test]
fn other_components_are_differentiated() {
    let mut bushing = Assembly::new(component_model::<bushing::Bushing<f64>>, "bushing", &[]);
    let mut inputs = bushing.reals(Causality::Input);
    inputs.retain(|(name, _)| name.starts_with("frame_b.v_0"));
    let [z, y] = [inputs, bushing.reals(Causality::Output)].map(|of| of.iter().map(|of| of.1).collect::<Vec<_>>());
    bushing.call(Call::fmi2SetReal, |instance| instance.set_real(&z, &[1.0, 2.0, 3.0]));
    let (factors, rest) = bushing.linear_form(&y, &z).unwrap();
    assert!(rest.iter().all(|load| *load == 0.0), "{rest:?}");
    // The forces at frame_a are those of the damping as it is built.
    let damping = bushing.start("TD");
    let expected = [-damping[0], 0.0, 0.0, 0.0, -damping[1], 0.0, 0.0, 0.0, -damping[2]];
    assert_eq!(factors[..9], expected);
}

#[test]
fn what_is_no_input_or_output_is_refused_by_its_name() {
    let refused = |y: &str, z: &str| {
        let mut assembly = Assembly::new(component_model::<joint_ssp::JointSSP<f64>>, "joint-ssp", &[]);
        let reference = |name: &str| {
            let of_name = |variable: &&fmu_builder::description::Variable| variable.name == name;
            assembly.description.variables.iter().find(of_name).unwrap().value_reference
        };
        let (y, z) = (reference(y), reference(z));
        let mut message = String::new();
        assembly.instance.call(Call::mechanics_linear, |instance| {
            message = instance.linear_form(&[y], &[z], &mut [0.0]).err().map(|error| error.message).unwrap_or_default();
            Ok(())
        });
        message
    };
    assert_eq!(refused("f_rod", "axis.f"), "");
    assert_eq!(
        refused("f_rod", "rod1Length"),
        "\"rod1Length\" cannot be a known in state \"continuous-time mode\": it is not a continuous Real input or a state"
    );
    assert_eq!(
        refused("aux", "axis.f"),
        "\"aux\" cannot be an unknown: it is not a Real output or the derivative of a state"
    );
}
