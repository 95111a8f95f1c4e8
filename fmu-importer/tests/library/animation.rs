//! Pictures and pages of the motion, from the shapes in finished archives.

use std::path::Path;

use fmu_builder::{Archive, Settings, Standard, shapes};
use fmu_importer::animate::{self, Animation};
use fmu_importer::{Simulation, Trajectory};
use fmu_tests::finished::{Fmu, archive, packed, resolve, root};

const ASSEMBLIES: [&str; 7] =
    ["joint-ups", "joint-usr", "joint-usp", "joint-ssr", "joint-ssp", "joint-rrr", "joint-rrp"];

fn run(file: &Path) -> (Animation, Trajectory, String) {
    let mut simulation = Simulation::load(file).unwrap();
    let animation = Animation::prepare(file, &mut simulation).unwrap();
    (simulation.step, simulation.stop) = (0.01, 0.02);
    (animation, simulation.run().unwrap(), simulation.name().to_owned())
}

/// The pictures are made by `cargo xtask simulate target/fmu/JointUSR.fmu --stop 0.01 --animate
/// models/joint-usr/picture.svg`.
#[test]
fn the_pictures_on_the_pages_are_those_of_the_shapes() {
    for component in ASSEMBLIES {
        let (animation, trajectory, name) = run(&archive(component));
        let scene = animation.scene(&trajectory).unwrap();
        let path = root().join("models").join(component).join("picture.svg");
        let drawn = animate::render(&scene, &name, &path, None).unwrap();
        assert_eq!(fs_err::read_to_string(&path).unwrap(), drawn, "{}", path.display());
        let page = fs_err::read_to_string(root().join("models").join(component).join("README.md")).unwrap();
        assert!(page.contains("](picture.svg)"), "{component}");
    }
}

#[test]
fn rods_go_from_joint_to_joint() {
    let (animation, trajectory, _) = run(&archive("joint-usr"));
    let scene = animation.scene(&trajectory).unwrap();
    assert_eq!(scene.time.len(), 3);
    let at = |name: &str| scene.labels(2).into_iter().find(|(frame, _)| *frame == name).unwrap().1;
    let [x, y, z, r] = scene.bodies[0].places[2];
    assert!((r - at("frame_ia")).norm() < 1e-15 && (r + x - at("frame_im")).norm() < 1e-15);
    assert!((y.norm() - 0.05).abs() < 1e-15 && (z.norm() - 0.05).abs() < 1e-15 && x.dot(&y).abs() < 1e-15);
    assert_eq!(scene.bodies[0].color, [155, 155, 155]);
    let (middle, radius) = scene.extent();
    assert!(scene.labels(2).iter().all(|(_, r)| (r - middle).norm() <= radius));
}

#[test]
fn orientations_of_all_kinds_give_the_same_shapes() {
    let places = |settings: &[&str]| {
        let fmu = Fmu::new("joint-rrr", settings);
        let (animation, trajectory, _) = run(&fmu.file);
        animation.scene(&trajectory).unwrap().bodies.iter().map(|body| body.places[0]).collect::<Vec<_>>()
    };
    let expected = places(&[]);
    for orientation in ["orientation=quaternion", "orientation=cardan"] {
        for (found, expected) in places(&[orientation]).iter().zip(&expected) {
            assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).norm() < 1e-12));
        }
    }
}

#[test]
fn a_page_has_everything_in_it() {
    let (animation, trajectory, name) = run(&archive("joint-ssp"));
    let page = animate::render(&animation.scene(&trajectory).unwrap(), &name, Path::new("a.html"), None).unwrap();
    assert!(page.contains("<title>JointSSP</title>") && !page.contains("{{"));
    // The namespace is a name, which nobody asks the network for.
    let page = page.replace("http://www.w3.org/1999/xhtml", "");
    for foreign in ["http://", "https://", "src=", "href=", "import "] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let data = page.split("const scene = ").nth(1).unwrap().split(";\n").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["time"].as_array().unwrap().len(), 3);
    // Two rods, two balls, the slide; the mass of 0 kg is not drawn.
    assert_eq!(data["bodies"].as_array().unwrap().len(), 5);
}

/// The input `models/joint-…/reference/motion.csv` moves frame_b and brings it back.
#[test]
fn each_assembly_has_an_input_to_be_tried_with() {
    for component in ASSEMBLIES {
        let file = archive(component);
        let mut simulation = Simulation::load(&file).unwrap();
        simulation.read_inputs(root().join("models").join(component).join("reference/motion.csv")).unwrap();
        simulation.step = 0.01;
        let animation = Animation::prepare(&file, &mut simulation).unwrap();
        let scene = animation.scene(&simulation.run().unwrap()).unwrap();
        let travel = |row: usize| {
            let ends = scene.bodies.iter().map(|body| (body.places[row][3] - body.places[0][3]).norm());
            ends.fold(0.0, f64::max)
        };
        assert!(travel(50) > 0.1, "{component}: {}", travel(50));
        assert!(travel(100) < 1e-6, "{component}: {}", travel(100));
    }
}

#[test]
fn joints_do_not_hide_a_small_mechanism() {
    let fmu = Fmu::new("joint-ssr", &["rod1Length=0.05", "rRod2_ib=[0,0.03,0]"]);
    let mut simulation = Simulation::load(&fmu.file).unwrap();
    let animation = Animation::prepare(&fmu.file, &mut simulation).unwrap();
    for (name, value) in [("frame_b.r_0[1]", -0.05), ("frame_b.r_0[2]", 0.03)] {
        simulation.set(&format!("{name}={value}")).unwrap();
    }
    (simulation.step, simulation.stop) = (0.01, 0.02);
    let scene = animation.scene(&simulation.run().unwrap()).unwrap();
    let thickest = scene.bodies.iter().flat_map(|body| &body.places).map(|[_, y, z, _]| y.norm().max(z.norm()));
    let thickest = thickest.fold(0.0, f64::max);
    assert!(thickest < 0.0101, "{thickest}");
}

/// The wheels of the tricycle are thicker than an eighth of its size, and its axles are whole nevertheless.
#[test]
fn parts_with_sizes_of_their_own_are_drawn_to_scale() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings::from_toml(&root().join("examples").join("tricycle.toml")).unwrap();
    let description = resolve("systems", &settings).unwrap();
    let (animation, trajectory, _) = run(&packed("systems", &description, Standard::Fmi2, folder.path()));
    let scene = animation.scene(&trajectory).unwrap();
    let sizes = |name: &str| {
        let body = scene.bodies.iter().find(|body| body.name == name).unwrap();
        let [x, y, ..] = body.places[0];
        [x.norm(), y.norm()]
    };
    let [width, diameter] = sizes("front_wheel.cylinder");
    let [length, _] = sizes("axle_left.rod");
    for (found, expected) in [(width, 0.02), (diameter, 0.6), (length, 0.35)] {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn the_mass_of_a_rod_is_drawn_where_there_is_one() {
    let bodies = |settings: &[&str]| {
        let fmu = Fmu::new("joint-ssr", settings);
        let (animation, trajectory, _) = run(&fmu.file);
        animation.scene(&trajectory).unwrap().bodies.len()
    };
    assert_eq!(bodies(&["rod1Mass=1"]), bodies(&[]) + 1);
    assert_eq!(bodies(&["rod1Mass=1", "showMass=false"]), bodies(&[]));
}

#[test]
fn without_animation_there_is_nothing_to_draw() {
    let fmu = Fmu::new("joint-usr", &["animation=false"]);
    let entries = Archive::open(&fmu.file).unwrap();
    assert!(entries.entries().iter().all(|entry| entry.name != shapes::ENTRY));
    assert!(fmu.description.variables.iter().all(|variable| !variable.name.contains("Diameter")));
    let mut simulation = Simulation::load(&fmu.file).unwrap();
    let message = Animation::prepare(&fmu.file, &mut simulation).err().unwrap().to_string();
    assert!(message.ends_with("JointUSR.fmu has no shapes to draw: no resources/shapes.json"), "{message}");
    let message = animate::check(Path::new("motion.gif")).unwrap_err().to_string();
    assert_eq!(message, "motion.gif: an animation must end with .html, a picture with .svg");
}
