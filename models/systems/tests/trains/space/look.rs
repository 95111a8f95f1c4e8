//! Frames that a viewer draws, whose motion follows from that of their parts.

use fmu_runtime::lifecycle::Interface;
use systems::system;

use crate::fixture::train;

const LOOP: &str = "world World
    bearing Revolute frame_a=world.frame_b phi_start=0.4 w_start=3
    crank BodyShape frame_a=bearing.frame_b r[1]=0.1 m=1.2 I_33=0.002
    ground FixedTranslation frame_a=world.frame_b r[1]=0.4
    rods JointRRR frame_a=crank.frame_b frame_b=ground.frame_b rRod1_ia[1]=0.35 rRod2_ib[1]=0.3 phi_guess=90
    rocker Body frame_a=rods.frame_ib r_CM[1]=0.15 m=0.8 I_33=0.01";

#[test]
fn frames_move_as_their_parts_do() {
    let mut train = train(Interface::CoSimulation, LOOP);
    for _ in 0..5 {
        train.step(0.02);
        let mut vector = |name: &str| [1, 2].map(|i| train.real(&format!("{name}[{i}]")));
        let [world, a, b] = ["world.frame_b.r_0", "crank.frame_b.r_0", "rods.frame_im.r_0"].map(&mut vector);
        let phi = train.real("bearing.phi");
        assert_eq!(world, [0.0; 2]);
        assert!((train.real("crank.frame_b.R.T[1,1]") - phi.cos()).abs() < 1e-15);
        assert!((train.real("crank.frame_b.R.T[1,2]") - phi.sin()).abs() < 1e-15);
        // The rods are as long as they were made, and turned as they lie.
        let along = [b[0] - a[0], b[1] - a[1]];
        assert!((along[0].hypot(along[1]) - 0.35).abs() < 1e-12);
        assert!((train.real("rods.frame_ia.R.T[1,1]") * 0.35 - along[0]).abs() < 1e-12);
        let rocker = train.real("rods.angle");
        assert!((train.real("rods.frame_ib.R.T[1,1]") - rocker.cos()).abs() < 1e-12);
        assert!((b[0] - 0.4 - 0.3 * rocker.cos()).abs() < 1e-12);
        assert_eq!([1, 2, 3].map(|i| train.real(&format!("rods.e_b[{i}]"))), [0.0, 0.0, 1.0]);
    }
}

#[test]
fn without_animation_there_is_neither_a_shape_nor_a_frame_of_one() {
    let made = |animation: &str| {
        let mut model = system(Vec::new());
        for (option, word) in [("world.type", "World"), ("joint.type", "Revolute"), ("joint.frame_a", "world.frame_b")]
        {
            model.set_structure(option, word).unwrap();
        }
        model.set_structure("animation", animation).unwrap();
        let option = model.structure().into_iter().find(|option| option.name == "animation").unwrap();
        assert_eq!((option.value.as_str(), option.default.as_str()), (animation, "true"));
        let shapes: Vec<_> = model.shapes().iter().map(|shape| shape.0[0].1.to_owned()).collect();
        shapes
    };
    assert_eq!(made("true"), ["world.x", "world.y", "world.z", "joint.revolute"]);
    assert!(made("false").is_empty());
}

#[test]
fn shapes_name_frames_and_parameters_and_have_the_looks_of_assemblies_as_numbers() {
    let mut model = system(Vec::new());
    for (option, word) in [("world.type", "World"), ("joint.type", "Revolute"), ("joint.frame_a", "world.frame_b")] {
        model.set_structure(option, word).unwrap();
    }
    let shapes = model.shapes();
    let joint = shapes.last().unwrap();
    let expected = [
        ("name", "joint.revolute"),
        ("type", "cylinder"),
        ("frame", "world.frame_b"),
        ("width", "0.05"),
        ("color", "[255.0, 0.0, 0.0]"),
        ("specularCoefficient", "0.7"),
        ("direction", "joint.n"),
        ("length", "0.1"),
    ];
    assert_eq!(joint.0, expected);
}

/// The middle of a shape is half its length from where it begins; it has the variables of its form only.
#[test]
fn fixed_shapes_have_a_form_and_a_place() {
    let fixed = |form: &str| {
        let shape = format!(
            "world World
            joint Revolute frame_a=world.frame_b
            mass Body frame_a=joint.frame_b
            shape FixedShape shapeType={form} frame_a=mass.frame_a r_shape[2]=1 lengthDirection[1]=3 lengthDirection[2]=4 length=2"
        );
        train(Interface::CoSimulation, &shape)
    };
    let mut sphere = fixed("sphere");
    let middle = [1, 2, 3].map(|i| sphere.real(&format!("shape.r_middle[{i}]")));
    assert!((middle[0] - 0.6).abs() < 1e-15 && (middle[1] - 1.8).abs() < 1e-15 && middle[2] == 0.0, "{middle:?}");
    for (form, keys) in [
        (
            "box",
            &["width", "color", "specularCoefficient", "direction", "length", "widthDirection", "height", "at"][..],
        ),
        ("cylinder", &["width", "color", "specularCoefficient", "direction", "length", "at"]),
        ("sphere", &["width", "color", "specularCoefficient", "at"]),
    ] {
        let mut model = system(Vec::new());
        for (option, word) in [
            ("world.type", "World"),
            ("shape.type", "FixedShape"),
            ("shape.shapeType", form),
            ("shape.frame_a", "world.frame_b"),
        ] {
            model.set_structure(option, word).unwrap();
        }
        let shapes = model.shapes();
        let entries = &shapes.last().unwrap().0;
        assert_eq!(entries[..3], [("name", "shape.shape"), ("type", form), ("frame", "world.frame_b")]);
        assert_eq!(entries[3..].iter().map(|(key, _)| *key).collect::<Vec<_>>(), keys);
    }
}
