//! Declared dependencies of the initial unknowns of the assemblies.

use std::collections::BTreeSet;

use fmu_builder::description::Causality;
use fmu_tests::api::Status;
use fmu_tests::finished::Fmu;
use nalgebra::Rotation3;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

use crate::drive::{ASSEMBLIES, Assembly, V};

/// Unknown and known of each declared dependency, by position.
fn declared(fmu: &Fmu) -> BTreeSet<(usize, usize)> {
    let unknowns = &fmu.description.model_structure.initial_unknowns;
    let list = |unknown: &fmu_builder::description::Unknown| {
        let dependencies = unknown.dependencies.clone().expect("a list");
        dependencies.into_iter().map(|known| (unknown.index, known)).collect::<Vec<_>>()
    };
    unknowns.iter().flat_map(list).collect()
}

/// Changes all inputs and axes at random, with n_b perpendicular to the axes of the revolute joints.
fn scatter(assembly: &Assembly<'_>, mut vector: impl FnMut() -> V) {
    let rotations = [0; 2].map(|_| Rotation3::from_scaled_axis(vector() * 0.3));
    for (frame, rotation) in ["frame_a", "frame_b"].iter().zip(&rotations) {
        let mut motion = assembly.motion(frame);
        motion.r_0 += vector() * 0.1;
        motion.T = *rotation.inverse().matrix();
        (motion.v_0, motion.w, motion.a_0, motion.z) = (vector(), vector(), vector(), vector());
        assembly.set_motion(frame, &motion);
    }
    for name in
        ["frame_ia", "frame_ib", "frame_im"].iter().flat_map(|frame| [format!("{frame}.f"), format!("{frame}.t")])
    {
        assembly.set(&name, vector().as_slice());
    }
    for name in ["n_a", "rRod1_ia", "rRod2_ib"] {
        assembly.set(name, (assembly.vector(name) + vector() * 0.2).as_slice());
    }
    let axis = (rotations[1].inverse() * rotations[0] * assembly.vector("n_a")).normalize();
    let n_b = assembly.vector("n_b") + vector() * 0.2;
    assembly.set("n_b", (n_b - axis * axis.dot(&n_b)).as_slice());
    for name in ["s_offset", "axis.f"] {
        assembly.set(name, &[vector().x]);
    }
}

/// The axes are not perpendicular at any random point of the library's own search, which still finds the dependencies.
#[test]
fn those_of_joint_rrp_are_exact_where_its_axes_are_perpendicular() {
    let fmu = Fmu::new("joint-rrp", &[]);
    let variables = &fmu.description.variables;
    let knowns: Vec<usize> = (0..variables.len())
        .filter(|i| variables[*i].is_real())
        .filter(|i| matches!(variables[*i].causality, Causality::Input | Causality::Parameter))
        .collect();
    let unknowns: Vec<usize> = fmu.description.model_structure.initial_unknowns.iter().map(|u| u.index).collect();
    let references: Vec<u32> = unknowns.iter().map(|i| variables[*i].value_reference).collect();
    let guesses = ["s_guess", "s_offset"]
        .map(|name| (name, variables.iter().position(|variable| variable.name == name).unwrap()));
    let mut runner = TestRunner::new(Config::default());
    let mut found = BTreeSet::new();
    let (mut points, mut tries) = (0, 0);
    while points < 6 {
        tries += 1;
        assert!(tries <= 100, "only {points} of the random points can be reached");
        let assembly = Assembly::new(fmu.instance());
        scatter(&assembly, || {
            let numbers = proptest::array::uniform3(-1.0..1.0).new_tree(&mut runner).unwrap().current();
            V::from(numbers)
        });
        let fmi = &assembly.instance.fmi;
        assert_eq!(fmi.setup_experiment(None, 0.0, None), Status::Ok);
        assert_eq!(fmi.enter_initialization_mode(), Status::Ok);
        if fmi.get_real(&references).0 == Status::Error {
            let said = assembly.instance.last_message().text;
            assert!(said.contains("rod 1 cannot close the loop"), "{said}");
            continue;
        }
        points += 1;
        let column = |known: &usize| {
            let (status, column) =
                fmi.directional_derivative(&references, &[variables[*known].value_reference], &[1.0]);
            assert_eq!(status, Status::Ok, "{:?}", fmi.messages());
            column
        };
        let columns: Vec<_> = knowns.iter().map(column).collect();
        for (row, unknown) in unknowns.iter().enumerate() {
            // Where axes are perpendicular, some sums are only rounding errors.
            let largest = columns.iter().map(|column| column[row].abs()).fold(0.0, f64::max);
            let counts = |(_, column): &(&usize, &Vec<f64>)| column[row].abs() > (1e-10 * largest).max(1e-12);
            found.extend(knowns.iter().zip(&columns).filter(counts).map(|(known, _)| (*unknown, *known)));
        }
        // Their sum selects one of two solutions.
        for (name, index) in guesses {
            let at = assembly.instance.get(name);
            let [one, other] = [-10.0, 10.0].map(|guess| {
                assembly.set(name, &[guess]);
                fmi.get_real(&references).1
            });
            assembly.set(name, &at);
            let differs = |row: &usize| (one[*row] - other[*row]).abs() > 1e-9 * (1.0 + one[*row].abs());
            found.extend((0..unknowns.len()).filter(differs).map(|row| (unknowns[row], index)));
        }
    }
    let declared = declared(&fmu);
    let named =
        |(unknown, known): &(usize, usize)| format!("{} of {}", variables[*unknown].name, variables[*known].name);
    let missing: Vec<_> = found.difference(&declared).map(named).collect();
    let superfluous: Vec<_> = declared.difference(&found).map(named).collect();
    assert!(missing.is_empty() && superfluous.is_empty(), "missing: {missing:?}, superfluous: {superfluous:?}");
}

#[test]
fn nothing_depends_on_what_only_viewers_use() {
    for (component, ..) in ASSEMBLIES {
        let fmu = Fmu::new(component, &[]);
        let name = |index: usize| fmu.description.variables[index].name.as_str();
        for (unknown, known) in declared(&fmu) {
            let (unknown, known) = (name(unknown), name(known));
            let shown = ["Color", "Diameter", "Width", "Height", "cylinderLength", "revoluteLength", "specular"];
            assert!(!shown.iter().any(|part| known.contains(part)), "{component}: {unknown} of {known}");
        }
    }
}

/// A Boolean counts if its other value changes something.
#[test]
fn forces_of_joint_ssp_depend_on_the_choice_of_the_rod_force() {
    let fmu = Fmu::new("joint-ssp", &[]);
    let variables = &fmu.description.variables;
    let by_choice = declared(&fmu).into_iter().filter(|(_, known)| variables[*known].name == "mslRodForce");
    let names: BTreeSet<_> = by_choice.map(|(unknown, _)| variables[unknown].name.split('[').next().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(["frame_a.f", "frame_b.f", "frame_b.t", "f_rod"]));
}
