//! Adjoint derivatives of components with many inputs, from one recorded evaluation, beside directional ones in dual
//! numbers and beside differences.

use fmu_builder::description::{Causality, Description, Variability, Variable, VariableType};
use fmu_runtime::lifecycle::{Call, Interface};
use fmu_runtime::log::Status;
use fmu_runtime::{ComponentModel, Instance, component_model};
use fmu_tests::finished::describe;
use fmu_tests::in_process;
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Difference relative to the largest derivative.
const TOLERANCE: f64 = 1e-12;
const POINTS: usize = 32;

/// Step of the differences, and their error relative to the largest derivative.
const STEP: f64 = 1e-6;
const DIFFERENCE: f64 = 1e-5;

fn instance(model: Box<dyn ComponentModel>, description: &Description) -> Instance {
    let mut instance = in_process::instance(model, description, Interface::CoSimulation);
    let enter = instance.call(Call::fmi2EnterInitializationMode, Instance::enter_initialization_mode);
    let exit = instance.call(Call::fmi2ExitInitializationMode, Instance::exit_initialization_mode);
    assert_eq!([enter, exit], [Status::Ok; 2]);
    instance
}

fn name(variable: &Variable) -> &str {
    variable.name.split('[').next().unwrap()
}

fn references(variables: &[&Variable]) -> Vec<u32> {
    variables.iter().map(|variable| variable.value_reference).collect()
}

/// Moves the inputs to a point near their start values; matrices are rotations but for errors that are corrected.
fn set(instance: &mut Instance, inputs: &[&Variable], numbers: &mut impl Iterator<Item = f64>) {
    let mut next = || numbers.next().unwrap();
    for array in inputs.chunk_by(|one, other| name(one) == name(other)) {
        let mut turn = || Vector3::from_fn(|_, _| 0.3 * next());
        let values: Vec<f64> = match name(array[0]) {
            matrix if matrix.ends_with(".R.T") => {
                let rotation = Rotation3::from_scaled_axis(turn());
                rotation.matrix().iter().map(|element| element + 1e-5 * next()).collect()
            }
            quaternion if quaternion.ends_with(".Q") => {
                UnitQuaternion::from_scaled_axis(turn()).coords.as_slice().to_vec()
            }
            _ => {
                let start = |variable: &Variable| match variable.kind {
                    VariableType::Real { start, .. } => start.unwrap(),
                    _ => unreachable!(),
                };
                array.iter().map(|variable| start(variable) + 0.2 * next()).collect()
            }
        };
        instance.set_real(&references(array), &values).unwrap();
    }
}

fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    terms.sum()
}

/// Compares at random points all derivatives, and the products with directions on both sides.
fn check(model: fn() -> Box<dyn ComponentModel>, component: &str, settings: &[&str]) {
    let description = describe(component, settings).unwrap();
    let of = |causality: Causality| -> Vec<&Variable> {
        let variables = description.variables.iter();
        let wanted = variables.filter(|variable| variable.causality == causality && variable.is_real());
        wanted.filter(|variable| variable.variability == Variability::Continuous).collect()
    };
    let (inputs, outputs) = (of(Causality::Input), of(Causality::Output));
    let (x, y) = (references(&inputs), references(&outputs));
    let mut instance = instance(model(), &description);
    let switches = description.variables.iter().filter(|variable| {
        variable.causality == Causality::Input && matches!(variable.kind, VariableType::Boolean { .. })
    });
    for switch in switches {
        instance.set_boolean(&[switch.value_reference], &[1]).unwrap();
        instance.do_step(0.0, 1.0).unwrap();
    }
    let numbers = prop::collection::vec(-1.0..1.0_f64, 4 * x.len() + 2 * y.len());
    let mut runner = TestRunner::deterministic();
    let mut solved = 0;
    for _ in 0..POINTS {
        let numbers = numbers.new_tree(&mut runner).unwrap().current();
        let mut numbers = numbers.into_iter();
        let [v, w] = [x.len(), y.len()].map(|count| numbers.by_ref().take(count).collect::<Vec<f64>>());
        set(&mut instance, &inputs, &mut numbers);
        if instance.get_real(&y).is_err() {
            continue;
        }
        let mut along = |known: &[u32], seeds: &[f64]| -> Vec<f64> {
            instance.directional_derivative(&y, known, seeds, y.len()).unwrap().collect()
        };
        let columns: Vec<_> = x.iter().map(|known| along(&[*known], &[1.0])).collect();
        let forwards = along(&x, &v);
        let adjoint = instance.adjoint_derivative(&y, &x, &w, x.len()).unwrap();
        let size = |column: &Vec<f64>| sum(column.iter().zip(&w).map(|(n, w)| (n * w).abs()));
        let largest = columns.iter().map(size).fold(0.0, f64::max);
        solved += usize::from(largest > 0.0);
        for ((column, found), input) in columns.iter().zip(&adjoint).zip(&inputs) {
            let expected = sum(column.iter().zip(&w).map(|(n, w)| n * w));
            assert!(
                (found - expected).abs() <= TOLERANCE * largest,
                "{component} {settings:?}: {found} by {}, not {expected}; the largest is {largest}",
                input.name
            );
        }
        let sides = [
            sum(forwards.iter().zip(&w).map(|(along, w)| along * w)),
            sum(adjoint.iter().zip(&v).map(|(weight, v)| weight * v)),
        ];
        let room = TOLERANCE * largest * sum(v.iter().map(|v| v.abs()));
        assert!((sides[0] - sides[1]).abs() <= room, "{component} {settings:?}: {sides:?}");
        // Few knowns are differentiated one by one.
        let few = instance.adjoint_derivative(&y, &x[..3], &w, 3).unwrap();
        assert!(few.iter().zip(&adjoint).all(|(one, other)| (one - other).abs() <= TOLERANCE * largest), "{few:?}");
        assert_eq!(instance.adjoint_derivative(&y, &x, &w, x.len()).unwrap(), adjoint);
        let at: Vec<f64> = instance.get_real(&x).unwrap().collect();
        let mut weighted = |s: f64| {
            let moved: Vec<f64> = at.iter().zip(&v).map(|(value, along)| value + s * along).collect();
            instance.set_real(&x, &moved).unwrap();
            sum(instance.get_real(&y).unwrap().zip(&w).map(|(output, w)| output * w))
        };
        let difference = (weighted(STEP) - weighted(-STEP)) / (2.0 * STEP);
        let room = DIFFERENCE * room / TOLERANCE;
        assert!((sides[1] - difference).abs() <= room, "{component} {settings:?}: {sides:?}, differences {difference}");
    }
    assert!(solved > POINTS / 4, "{component}: only {solved} points have a solution");
}

macro_rules! components {
    ($($test:ident: $Model:ty, $component:literal, $settings:expr;)*) => {$(
        #[test]
        fn $test() {
            check(component_model::<$Model>, $component, &$settings);
        }
    )*};
}

const TABLE: &str = "TS_table=[[0,1e4,1e5,2e5],[0.1,5e4,8e4,9e4],[0.2,2e4,9e4,9e4],[0.4,9e4,1e5,2e5]]";
const CURVE: &str = "TS_curve_y=[[-0.4,-3e4],[-0.1,-9e3],[0,0],[0.2,1.6e4],[0.5,6.3e4]]";

components! {
    bushing: bushing::Bushing<f64>, "bushing", [];
    bushing_with_tables: bushing::Bushing<f64>, "bushing", ["nonlinear_TS=true", "sm_TS=spline", TABLE];
    bushing_with_curves: bushing::Bushing<f64>, "bushing", ["law_TS=curve", "sm_TS=akima", CURVE];
    bushing_with_rubber: bushing::Bushing<f64>, "bushing", ["maxwell_T=2", "maxwell_R=1", "friction_T=true", "friction_R=true"];
    bushing_with_gimbal: bushing::Bushing<f64>, "bushing",
        ["momentLaw=gimbal", "orientation=quaternion", "RotSeq=[3,1,3]", "theta0=[0.1,1,0.2]", "flows=outflow"];
    bushing_with_sensors: bushing::Bushing<f64>, "bushing",
        ["orientation=cardan", "resolvedFrame=world", "sensor_T=true", "sensor_Tv=true", "sensor_R=true", "sensor_Rw=true"];
    bushing_with_signals: bushing::Bushing<f64>, "bushing", ["nonlinear_TS=true", "DCM_TS=signal", "nonlinear_RD=true", "DCM_RD=signal"];
    gripper: gripper::Gripper<f64>, "gripper", [];
    joint_rrp: joint_rrp::JointRRP<f64>, "joint-rrp", ["n_b=[-2,0.5,0]"];
    joint_rrr: joint_rrr::JointRRR<f64>, "joint-rrr", ["unwrapAngle=true"];
    joint_ssp: joint_ssp::JointSSP<f64>, "joint-ssp", ["rod1Mass=2", "g=[1,2,3]", "checkTotalPower=true"];
    joint_ssr: joint_ssr::JointSSR<f64>, "joint-ssr", ["rod1Mass=2", "flows=outflow"];
    joint_ups: joint_ups::JointUPS<f64>, "joint-ups", ["nAxis_ia=[1,0.4,0.2]"];
    joint_usp: joint_usp::JointUSP<f64>, "joint-usp", ["n_b=[-1,0.2,0.1]", "orientation=quaternion"];
    joint_usr: joint_usr::JointUSR<f64>, "joint-usr", ["n_b=[0.1,0.2,1]"];
    joint_usr_with_cardan_angles: joint_usr::JointUSR<f64>, "joint-usr", ["orientation=cardan", "accelerations=false"];
}
