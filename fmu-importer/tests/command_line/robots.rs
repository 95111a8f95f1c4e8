//! The command `convert` with robots. `cargo xtask test --rest` compares accelerations with those of Pinocchio.

use std::collections::BTreeMap;
use std::path::Path;

use fmu_builder::Settings;
use fmu_importer::Simulation;
use fmu_importer::animate::Animation;
use fmu_runtime::Standard;
use fmu_tests::finished::{packed, resolve, root};

use crate::{refused_in, run_in};

/// Converts the robot with these elements; returns the system and the notes.
fn converted(folder: &Path, elements: &str, options: &[&str]) -> (String, String) {
    fs_err::write(folder.join("a.urdf"), format!("<robot name=\"a\">\n{elements}\n</robot>\n")).unwrap();
    let (success, _, said) = run_in("convert", folder, &[&["a.urdf", "a.toml", "--force"], options].concat());
    assert!(success, "{said}");
    (fs_err::read_to_string(folder.join("a.toml")).unwrap(), said)
}

#[test]
fn the_example_is_what_the_command_writes() {
    let folder = tempfile::tempdir().unwrap();
    let example = root().join("examples").join("bench-arm.urdf");
    let output = folder.path().join("bench-arm.toml");
    let (success, _, said) = run_in("convert", folder.path(), &[example.to_str().unwrap(), output.to_str().unwrap()]);
    assert!(success && said.is_empty(), "{said}");
    let expected = fs_err::read_to_string(example.with_extension("toml")).unwrap();
    assert!(fs_err::read_to_string(output).unwrap() == expected, "cargo xtask convert examples/bench-arm.urdf differs");
}

const BASE: &str = "<link name=\"base\"/>";
const ARM: &str = "<link name=\"arm\"><inertial><mass value=\"2\"/>\
                   <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>";

fn joint(name: &str, kind: &str, [parent, child]: [&str; 2], inside: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{inside}</joint>"
    )
}

#[test]
fn joints_of_all_types_become_systems_that_can_be_built() {
    let folder = tempfile::tempdir().unwrap();
    #[rustfmt::skip]
    let cases = [
        ("revolute", "<limit lower=\"-1\" upper=\"2\" effort=\"5\"/>",
         "\njoint = { type = \"Revolute\", n = [1, 0, 0], phi = 0,"),
        ("continuous", "<axis xyz=\"0 0 2\"/>", "\njoint = { type = \"Revolute\", n = [0, 0, 2], phi = 0,"),
        ("prismatic", "<limit lower=\"1\" upper=\"2\" effort=\"5\"/>",
         "\njoint = { type = \"Prismatic\", n = [1, 0, 0], s = 1,"),
        ("fixed", "<origin xyz=\"0 0 1\"/>", "\njoint = { type = \"FixedTranslation\", r = [0, 0, 1],"),
        ("floating", "", "\njoint = { type = \"FreeMotion\","),
        ("planar", "<axis xyz=\"0 0 1\"/>",
         "\njoint_y = { type = \"Prismatic\", n = [0, 1, 0], frame_a = \"joint_x.frame_b\" }"),
    ];
    for (kind, inside, expected) in cases {
        let elements = format!("{BASE}{ARM}{}", joint("joint", kind, ["base", "arm"], inside));
        let (text, said) = converted(folder.path(), &elements, &[]);
        assert!(text.contains(expected) && said.is_empty(), "{said}{text}");
        resolve("systems", &Settings::from_toml(&folder.path().join("a.toml")).unwrap()).unwrap();
    }
}

/// The tensor of a body that is turned by a right angle about z has its moments exchanged.
#[test]
fn inertias_are_turned_into_the_frame_of_their_link() {
    let folder = tempfile::tempdir().unwrap();
    let body = "<link name=\"a\"><inertial><origin xyz=\"1 2 3\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>\
                <inertia ixx=\"1\" iyy=\"2\" izz=\"2.5\" ixy=\"0.1\" ixz=\"0.2\" iyz=\"0.3\"/></inertial></link>";
    let (text, _) = converted(folder.path(), body, &["--floating"]);
    let document: toml::Table = text.parse().unwrap();
    let number = |key: &str| document["parts"]["a"][key].as_float().unwrap_or(f64::NAN);
    // x of the body is y of the link, y of the body is -x.
    for (key, expected) in [("I_11", 2.0), ("I_22", 1.0), ("I_33", 2.5), ("I_21", -0.1), ("I_31", -0.3), ("I_32", 0.2)]
    {
        let found = document["parts"]["a"][key].as_integer().map_or_else(|| number(key), |integer| integer as f64);
        assert!((found - expected).abs() < 1e-15, "{key} = {found}, but expected {expected}");
    }
    assert!(text.contains("floating_base = { type = \"FreeMotion\""), "{text}");
}

#[test]
fn names_become_those_of_parts_and_differ() {
    let folder = tempfile::tempdir().unwrap();
    let elements = format!(
        "<link name=\"world\"/>{}{}{}{}",
        ARM.replace("\"arm\"", "\"arm 1\""),
        ARM.replace("\"arm\"", "\"arm-1\""),
        joint("arm 1", "continuous", ["world", "arm 1"], ""),
        joint("2", "continuous", ["arm 1", "arm-1"], ""),
    );
    let (text, _) = converted(folder.path(), &elements, &[]);
    for part in [
        "arm_1 = { type = \"Body\"", "arm_1_link = { type = \"Body\"", "arm_1_joint = { type = \"Revolute\"",
        "part_2 = {",
    ] {
        assert!(text.contains(&format!("\n{part}")), "{part}\n{text}");
    }
    resolve("systems", &Settings::from_toml(&folder.path().join("a.toml")).unwrap()).unwrap();
}

#[test]
fn what_differs_from_the_robot_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let inside = "<limit lower=\"0\" upper=\"0\" effort=\"1\"/>";
    let elements = format!(
        "{BASE}\n{}\n{}\n{}\n{}\n{}",
        ARM.replace(
            "</link>",
            "<visual><geometry><mesh filename=\"package://nowhere/arm.stl\"/></geometry></visual></link>"
        ),
        ARM.replace("\"arm\"", "\"tip\"").replace("ixy=\"0\"", "ixy=\"2\""),
        joint("one", "revolute", ["base", "arm"], inside),
        joint("two", "revolute", ["arm", "tip"], "<limit lower=\"0\" upper=\"1\" effort=\"0\"/>"),
        "<transmission name=\"pair\"><joint name=\"one\"/><joint name=\"two\"/><actuator name=\"a\"/></transmission>\n\
         <transmission name=\"other\"><joint name=\"three\"/><actuator name=\"a\"/></transmission>",
    );
    let (_, said) = converted(folder.path(), &elements, &[]);
    for expected in [
        "a.urdf: line 4: link \"tip\" has the principal moment -1 kg m2, which no body has: correct its moments of inertia before \
         you build the system\n",
        "a.urdf: line 5: joint \"one\": lower = 0 is not below upper = 0, so it moves without stops\n",
        "a.urdf: line 6: joint \"two\" has no effort, so its stops are those for 100\n",
        "a.urdf: line 7: transmission \"pair\" has 2 joints and 1 actuators and is left out: only one of each has a counterpart\n",
        "a.urdf: line 8: transmission \"other\" drives \"three\", which is no joint, and is left out\n",
        "a.urdf: package://nowhere/arm.stl: not found, so it is not drawn; --package NAME=FOLDER says where a package is\n",
    ] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
}

/// A tetrahedron as text and as numbers, twice as large along x.
#[test]
fn meshes_are_drawn_as_their_bounding_boxes() {
    let folder = tempfile::tempdir().unwrap();
    let corners = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, -4.0]];
    let mut binary = vec![b' '; 80];
    binary.extend(4_u32.to_le_bytes());
    let mut text = "solid a\n".to_owned();
    for skipped in 0..4 {
        binary.extend([0; 12]);
        for corner in (0..4).filter(|corner| *corner != skipped).map(|corner| corners[corner]) {
            corner.iter().for_each(|number| binary.extend(number.to_le_bytes()));
            text += &format!(" vertex {} {} {}\n", corner[0], corner[1], corner[2]);
        }
        binary.extend([0; 2]);
    }
    let object: String = corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    // In centimetres, turned upwards from y, moved from (1, 2, 3), and half as large in the scene.
    let numbers: String = corners
        .iter()
        .map(|[x, y, z]| format!("{} {} {} ", 200.0 * (x - 1.0), 200.0 * (z - 3.0), -200.0 * (y - 2.0)))
        .collect();
    let scene = format!(
        "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\"><asset><unit meter=\"0.01\"/><up_axis>Y_UP</up_axis></asset>\
         <library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array>{numbers}</float_array></source>\
         <vertices><input semantic=\"POSITION\" source=\"#p\"/></vertices></mesh></geometry></library_geometries>\
         <library_visual_scenes><visual_scene><node><translate>100 300 -200</translate><node><scale>0.5 0.5 0.5</scale>\
         <rotate>0 0 1 90</rotate><matrix>0 1 0 0 -1 0 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url=\"#g\"/></node></node>\
         </visual_scene></library_visual_scenes></COLLADA>"
    );
    fs_err::create_dir_all(folder.path().join("robot").join("meshes")).unwrap();
    for (name, content) in [
        ("text.stl", text.into_bytes()),
        ("binary.STL", binary),
        ("object.obj", object.into_bytes()),
        ("scene.dae", scene.into_bytes()),
    ] {
        fs_err::write(folder.path().join("robot").join("meshes").join(name), content).unwrap();
        for (file, options) in [
            (format!("robot/meshes/{name}"), vec![]),
            (format!("package://robot/meshes/{name}"), vec![]),
            (format!("package://other/{name}"), vec!["--package", "other=robot/meshes"]),
        ] {
            let mesh =
                format!("<visual><geometry><mesh filename=\"{file}\" scale=\"2 1 1\"/></geometry></visual></link>");
            let (text, said) = converted(folder.path(), &ARM.replace("</link>", &mesh), &options);
            assert!(said.contains("a.urdf: 1 meshes are drawn as their bounding boxes"), "{said}");
            let expected =
                "{ type = \"FixedShape\", r_shape = [0, 1.5, -2], length = 2, width = 3, height = 4, frame_a";
            assert!(text.contains(expected), "{text}");
        }
    }
}

#[test]
fn every_mistake_has_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let two = format!("{BASE}\n{ARM}");
    let of = |kind: &str, inside: &str| format!("{two}\n{}", joint("j", kind, ["base", "arm"], inside));
    let inertial = |mass: &str, tensor: &str| {
        format!("<link name=\"a\"><inertial><mass value=\"{mass}\"/><inertia {tensor}/></inertial></link>")
    };
    let visual = |inside: &str| format!("<link name=\"a\"><visual>{inside}</visual></link>");
    let chain = |first: &str, second: &str| {
        let links = format!("{two}\n{}", ARM.replace("\"arm\"", "\"tip\""));
        let joints =
            [joint("j", "continuous", ["base", "arm"], first), joint("k", "continuous", ["arm", "tip"], second)];
        format!("{links}\n{}", joints.join("\n"))
    };
    #[rustfmt::skip]
    let cases = [
        (String::new(), ":1: <robot>: there is no link"),
        ("<link/>".to_owned(), ":2: there is no name: write <link name=\"…\">"),
        (format!("{BASE}\n{BASE}"),
         ":3: link \"base\": name = \"base\": each link has a name of its own, and this is that of line 2"),
        (of("hinge", ""),
         ":4: joint \"j\": type = \"hinge\": the types of joints are revolute, continuous, prismatic, fixed, floating, planar"),
        (format!("{two}\n{}", joint("j", "fixed", ["bas", "arm"], "")),
         ":4: joint \"j\": <parent> link = \"bas\": there is no link of this name"),
        (format!("{two}\n<joint name=\"j\" type=\"fixed\"><parent link=\"base\"/></joint>"),
         ":4: joint \"j\": there is no <child>: write <child link=\"…\"/>"),
        (of("continuous", "<axis xyz=\"0 0 0\"/>"),
         ":4: joint \"j\": <axis> xyz = \"0 0 0\": an axis must have a direction"),
        (of("continuous", "<axis xyz=\"0 1\"/>"),
         ":4: joint \"j\": <axis> xyz = \"0 1\": has 2 numbers, but must have three, separated by blanks"),
        (of("continuous", "<origin rpy=\"0 1 x\"/>"),
         ":4: joint \"j\": <origin> rpy = \"0 1 x\": \"x\" is not a number"),
        (of("continuous", "<dynamics damping=\"-1\"/>"),
         ":4: joint \"j\": <dynamics> damping = \"-1\": must be at least 0 in SI units"),
        (of("continuous", "<mimic joint=\"k\"/>"),
         ":4: joint \"j\": <mimic> joint = \"k\": there is no joint of this name"),
        (of("floating", "<mimic joint=\"j\"/>"),
         ":4: joint \"j\": <mimic> in a floating joint: only a revolute, continuous or prismatic joint can follow another one"),
        (chain("<mimic joint=\"k\"/>", "<mimic joint=\"j\"/>"),
         ":5: joint \"j\": <mimic>: joints follow each other in a circle: one of them must lead"),
        (chain("", "<mimic joint=\"j\"/>").replacen("continuous", "fixed", 1),
         ":6: joint \"k\": <mimic> joint = \"j\", which is fixed: only a revolute, continuous or prismatic joint can be followed"),
        (format!("{}\n{}", of("fixed", ""), joint("k", "fixed", ["base", "arm"], "")),
         ":5: joint \"k\": child = \"arm\": joint \"j\" carries this link already, and a URDF has no loops"),
        (two.clone(),
         ": no joint carries the links \"base\", \"arm\": one of them can be the root, the others must be the child of a joint"),
        (format!("{}\n{}", of("fixed", ""), joint("k", "fixed", ["arm", "base"], "")),
         ": joints carry each other in a circle: one link must be the child of no joint, so that it can be the root"),
        (format!("<link name=\"root\"/>{}\n{}", of("fixed", ""), joint("k", "fixed", ["arm", "base"], "")),
         ":4: joint \"j\": it hangs in a circle of joints: no way leads to it from the root"),
        (
            of("continuous", "").replace("value=\"2\"", "value=\"0\"").replace("\"1\"", "\"0\""),
            ":4: joint \"j\": it moves link \"arm\" without mass: give this link or one behind it an <inertial> with a mass, or the \
             joint the type fixed",
        ),
        (inertial("-1", ""), ":2: link \"a\": <mass> value = \"-1\": must be at least 0 kg"),
        (inertial("1", "ixx=\"1\""), ":2: link \"a\": <inertia> there is no iyy: write <inertia iyy=\"…\">"),
        (inertial("1", "ixx=\"-1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\""),
         ":2: link \"a\": <inertia> ixx = \"-1\": must be at least 0 kg m2"),
        (visual(""),
         ":2: link \"a\": <visual> there is no geometry: write <geometry> with a box, cylinder, sphere or mesh inside"),
        (visual("<geometry><box size=\"1 1 -1\"/></geometry>"),
         ":2: link \"a\": <box> size = \"1 1 -1\": lengths must be at least 0 m"),
        (visual("<geometry><sphere radius=\"-1\"/></geometry>"),
         ":2: link \"a\": <sphere> radius = \"-1\": must be at least 0 m"),
        (
            visual(
                "<geometry><sphere radius=\"1\"/></geometry><material name=\"m\"><color rgba=\"1 2 3\"/></material>",
            ),
            ":2: link \"a\": <color> rgba = \"1 2 3\": must be four numbers from 0 to 1",
        ),
        (
            format!(
                "{}<transmission name=\"t\"><joint name=\"j\"/><actuator name=\"m\"><mechanicalReduction>0</mechanicalReduction>\
                 </actuator></transmission>",
                of("continuous", "")
            ),
            ":4: transmission \"t\": <mechanicalReduction> \"0\": must be a number other than 0",
        ),
        (of("continuous", "<origin xyz=\"${x} 0 0\"/>"),
         ":4: joint \"j\": <origin> xyz = \"${x} 0 0\": expand the macros of xacro first: xacro robot.urdf.xacro > robot.urdf"),
        ("<xacro:arm/>".to_owned(),
         ":2: this is a xacro file; expand the macros of xacro first: xacro robot.urdf.xacro > robot.urdf"),
        ("<xacro:arm xmlns:xacro=\"http://www.ros.org/wiki/xacro\"/>".to_owned(),
         ":2: <xacro:arm>: expand the macros of xacro first: xacro robot.urdf.xacro > robot.urdf"),
        ("<link>".to_owned(), ": expected 'link' tag, not 'robot' at 3:1"),
    ];
    for (elements, expected) in cases {
        fs_err::write(folder.path().join("a.urdf"), format!("<robot name=\"a\">\n{elements}\n</robot>\n")).unwrap();
        assert_eq!(
            refused_in("convert", folder.path(), &["a.urdf", "a.toml"]),
            format!("a.urdf{expected}"),
            "{elements}"
        );
    }
    fs_err::write(folder.path().join("b.urdf"), "<sdf/>").unwrap();
    fs_err::write(folder.path().join("c.urdf"), [0xff, 0xfe]).unwrap();
    for (arguments, expected) in [
        (&["b.urdf", "a.toml"][..], "b.urdf:1: <sdf>: a URDF begins with <robot>"),
        (&["c.urdf", "a.toml"], "c.urdf: a URDF is a text in UTF-8"),
        (&["b.urdf", "a.txt"], "a.txt: a configuration is a .toml file"),
        (
            &["a.urdf.xacro", "a.toml"],
            "a.urdf.xacro: expand the macros of xacro first: xacro a.urdf.xacro > robot.urdf",
        ),
        (&["b.urdf", "a.toml", "--axis", "x"], "--axis is for tables, but b.urdf is a robot"),
        (&["a.bus", "a.toml", "--floating"], "--floating is for robots, but a.bus is none: a robot is a .urdf file"),
        (
            &["b.urdf", "a.toml", "--package", "x"],
            "--package x: must be the name of a package and its folder, NAME=FOLDER",
        ),
    ] {
        assert_eq!(refused_in("convert", folder.path(), arguments), expected);
    }
    assert!(!folder.path().join("a.toml").exists());
}

/// The picture has y upwards, the robot z; its shapes are as large as they are, though the bench is thick.
#[test]
fn robots_stand_upright_in_animations() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings::from_toml(&root().join("examples").join("bench-arm.toml")).unwrap();
    let description = resolve("systems", &settings).unwrap();
    let fmu = packed("systems", &description, Standard::Fmi2, folder.path());
    let mut simulation = Simulation::load(&fmu).unwrap();
    let animation = Animation::prepare(&fmu, &mut simulation).unwrap();
    (simulation.stop, simulation.step) = (0.01, 0.01);
    let trajectory = simulation.run().unwrap();
    let scene = animation.scene(&trajectory).unwrap();
    let places: BTreeMap<_, _> = scene.labels(0).into_iter().collect();
    // The post is 0.24 m high on a carriage of 0.06 m, and the upper arm 0.4 m long upon it.
    for (name, height) in
        [("bench_shape", -0.02), ("carriage_shape", 0.03), ("post_shape", 0.18), ("upper_arm_shape", 0.5)]
    {
        let place = places[name];
        assert!(place.x.abs() < 1e-12 && (place.y - height).abs() < 1e-12 && place.z.abs() < 1e-12, "{name}: {place}");
    }
    let longest = scene.bodies.iter().map(|body| body.places[0][0].norm()).fold(0.0, f64::max);
    assert!((longest - 1.2).abs() < 1e-12, "{longest}");
}
