//! Configurations of systems: their descriptions, and refused configurations.

use std::path::Path;

use fmu_builder::description::{Causality, Description, Initial, Variable, VariableType};
use fmu_builder::{Error, Settings, describe};
use fmu_runtime::{DeclarationRequest, declaration};

/// Returns the description of the system of a configuration with assignments of the command line, or the message.
fn commanded(text: &str, commands: &[&str]) -> Result<Description, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("system.toml");
    fs_err::write(&file, text).unwrap();
    let described = of_file(&file, commands).map_err(|error| {
        let message = error.to_string();
        // A command does not put the file before it again.
        assert!(error.names_its_location() || !message.starts_with(&*file.to_string_lossy()), "{message}");
        message
    });
    let relative = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    let described = described.map_err(relative)?;
    Ok(Description { warnings: described.warnings.into_iter().map(relative).collect(), ..described })
}

/// Returns the description of the system of a file with assignments of the command line.
fn of_file(file: &Path, commands: &[&str]) -> Result<Description, Error> {
    let library = |request: DeclarationRequest<'_>| {
        describe(|request| declaration(systems::system(Vec::new()).as_mut(), request), request).map_err(|error| {
            match error {
                fmu_builder::DescribeError::Refused(reason) => Error::Refused(reason),
                fmu_builder::DescribeError::Incompatible(reason) => panic!("{reason}"),
            }
        })
    };
    let mut settings = Settings::from_toml(file)?;
    commands.iter().try_for_each(|assignment| settings.set(assignment))?;
    settings.resolve(&library)
}

/// Returns the description of the system of a configuration, or the message.
fn resolved(text: &str) -> Result<Description, String> {
    commanded(text, &[])
}

/// Returns two inertias with a part between them.
fn between(part: &str) -> String {
    let inertias = "[parts.a]\ntype = \"Inertia\"\n\n[parts.b]\ntype = \"Inertia\"\n\n";
    format!("{inertias}[parts.c]\n{part}flange_a = \"a.flange_b\"\nflange_b = \"b.flange_a\"\n")
}

#[test]
fn parts_become_variables() {
    let text = between("type = \"Clutch\"\nmue_pos = [[0, 0.4], [10, 0.3]]\nshowLaw = true\n")
        + "[parts.t]\ntype = \"Torque\"\nflange = \"a.flange_a\"\ntau = 3\n";
    let description = resolved(&text).unwrap();
    let start = |name: &str| {
        let variable = description.variables.iter().find(|variable| variable.name == name);
        variable.unwrap_or_else(|| panic!("there is no {name}")).kind.clone()
    };
    assert!(format!("{:?}", start("t.tau")).contains("start: Some(3.0)"));
    assert!(format!("{:?}", start("c.mue_pos[2,2]")).contains("start: Some(0.3)"));
    start("c.sa");
    assert_eq!(description.event_indicators, 4);
    assert_eq!(description.model_structure.derivatives.len(), 4);
    // The torque and the clutch act on the inertia at once.
    let unknown = |name: &str| {
        let outputs = &description.model_structure.outputs;
        let unknown = outputs.iter().find(|unknown| description.variables[unknown.index].name == name).unwrap();
        let dependencies = unknown.dependencies.clone().unwrap();
        dependencies.into_iter().map(|index| description.variables[index].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(unknown("a.a"), ["a.w", "b.w", "c.f_normalized", "t.tau"]);
    assert_eq!(unknown("a.phi"), ["a.phi"]);
}

#[test]
fn the_page_shows_the_law_of_each_part_and_warns_in_its_name() {
    let falling = between("type = \"Clutch\"\nmue_pos = [[0, 0.5], [10, 0.25]]\n")
        + "[parts.d]\ntype = \"BearingFriction\"\ntau_pos = [[0, 2], [30, 1]]\nflange_a = \"b.flange_b\"\n";
    let description = resolved(&falling).unwrap();
    let advice = "rad/s on; give rows up to the highest speed, or set extrapolation = hold";
    let of_clutch =
        "c.mue_pos falls at its end: extrapolated, the coefficient, and with it the friction torque, is 0 from 20.0";
    let of_bearing = "d.tau_pos falls at its end: extrapolated, the friction torque is 0 from 60.0";
    let expected =
        [format!("system.toml:9:1: {of_clutch} {advice}"), format!("system.toml:14:1: {of_bearing} {advice}")];
    assert_eq!(description.warnings, expected);
    let shown = description.pictures.iter().map(|picture| (&*picture.title, &*picture.value[1]));
    assert_eq!(shown.collect::<Vec<_>>(), [("c.mue_pos", "1"), ("d.tau_pos", "N.m")]);
}

#[test]
fn a_table_has_the_name_of_either_version_of_the_library() {
    let described = |table: &str| resolved(&between(&format!("type = \"Clutch\"\n{table}\n")));
    let rows = "mu_pos = [[0, 0.4], [10, 0.3]]";
    let expected = described(&rows.replace("mu_pos", "mue_pos")).unwrap();
    assert_eq!(described(rows).unwrap(), expected);
    let twice = described(&format!("{rows}\nmue_pos = [[0, 0.4]]")).unwrap_err();
    assert!(twice.contains("\"c.mue_pos\" is already set"), "{twice}");
    let wrong = described("mu_pos = [[0, -0.4]]").unwrap_err();
    assert!(wrong.contains("c.mue_pos[1,2]"), "{wrong}");
    let bearing = "[parts.d]\ntype = \"BearingFriction\"\ntau_pos = [[0, -1]]\nflange_a = \"b.flange_b\"\n";
    let wrong = resolved(&(between("type = \"Clutch\"\n") + bearing)).unwrap_err();
    assert!(wrong.contains("d.tau_pos[1,2]"), "{wrong}");
}

/// Tables from files whose headings have units of other quantities than the columns.
#[test]
fn tables_of_files_in_wrong_units_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |part: &str, table: &str| {
        fs_err::write(folder.path().join("data.csv"), table).unwrap();
        let file = folder.path().join("system.toml");
        fs_err::write(&file, part).unwrap();
        let message = of_file(&file, &[]).map(drop).unwrap_err().to_string();
        message.replace(&format!("{}/", folder.path().display()), "")
    };
    let signal = |kind: &str| {
        let shaft = "[parts.t]\ntype = \"ConstantTorque\"\nflange = \"a.flange_a\"\n[parts.a]\ntype = \"Inertia\"\n";
        format!("{shaft}[parts.c]\ntype = \"{kind}\"\ntable = {{ file = \"data.csv\" }}\n")
    };
    let friction = |kind: &str, key: &str| between(&format!("type = \"{kind}\"\n{key} = {{ file = \"data.csv\" }}\n"));
    for (part, table, expected) in [
        (
            signal("CombiTimeTable"),
            "t [mm],torque [N.m]\n0,0\n1,1\n",
            "column 1 is in mm, which cannot be converted to s",
        ),
        (signal("TimeTable"), "t [mm],torque [N.m]\n0,0\n1,1\n", "column 1 is in mm, which cannot be converted to s"),
        (signal("BooleanTable"), "t [mm]\n0\n1\n", "column 1 is in mm, which cannot be converted to s"),
        (
            signal("CombiTable2Ds"),
            "x [kN],y,z\n0,1,2\n0,3,4\n1,5,6\n",
            "column 1 is in kN, which cannot be converted to 1",
        ),
        (
            friction("LossyGear", "lossTable"),
            "T [N.m],eta1,eta2,T1 [N.m],T2 [N.m]\n0,1,1,0,0\n",
            "column 1 is in N.m, which cannot be converted to rad/s",
        ),
        (friction("Clutch", "mue_pos"), "s [m],mue\n0,0.5\n", "column 1 is in m, which cannot be converted to rad/s"),
        (
            friction("Clutch", "mue_pos"),
            "v [m/s],mue\n0,0.5\n",
            "column 1 is in m/s, which cannot be converted to rad/s",
        ),
        (
            friction("BearingFriction", "tau_pos"),
            "w [rpm],f [N]\n0,0.5\n",
            "column 2 is in N, which cannot be converted to N.m",
        ),
    ] {
        let message = refused(&part, table);
        let expected = format!(".file = \"data.csv\": data.csv, {expected}");
        let name = if part.contains("table") {
            "c.table"
        } else if part.contains("Loss") {
            "c.lossTable"
        } else if part.contains("mue_pos") {
            "c.mue_pos"
        } else {
            "c.tau_pos"
        };
        assert!(message.starts_with("system.toml:") && message.ends_with(&format!("{name}{expected}")), "{message}");
    }
}

/// At random points one of many small inertias is nearly always at its bound 0, where nothing can be computed.
#[test]
fn a_long_train_of_small_inertias_has_dependencies() {
    use std::fmt::Write as _;

    let mut text = String::from("[parts.p0]\ntype = \"Inertia\"\nJ = 0.1\n");
    for i in 1..150 {
        let _ = write!(
            text,
            "[parts.s{i}]\ntype = \"Spring\"\nflange_a = \"p{}.flange_b\"\nflange_b = \"p{i}.flange_a\"\n\
             [parts.p{i}]\ntype = \"Inertia\"\nJ = 0.1\n",
            i - 1
        );
    }
    let description = resolved(&text).unwrap();
    let outputs = &description.model_structure.outputs;
    let of = |name: &str| outputs.iter().find(|output| description.variables[output.index].name == name).unwrap();
    let known = of("p7.a").dependencies.as_ref().unwrap().iter().map(|index| &*description.variables[*index].name);
    assert_eq!(known.collect::<Vec<_>>(), ["p6.phi", "p7.phi", "p8.phi"]);
}

/// Returns an arm of so many joints, the first of which is driven.
fn arm(joints: usize) -> String {
    use std::fmt::Write as _;

    let mut text =
        String::from("[parts.world]\ntype = \"World\"\n[parts.motor]\ntype = \"Torque\"\nflange = \"j0.axis\"\n");
    let mut before = "world.frame_b".to_owned();
    for i in 0..joints {
        let axis = ["[0, 0, 1]", "[0, 1, 0]"][i % 2];
        let _ = write!(
            text,
            "[parts.j{i}]\ntype = \"Revolute\"\nn = {axis}\nframe_a = \"{before}\"\n[parts.b{i}]\ntype = \"BodyShape\"\n\
             r = [0.1, 0, 0]\nr_CM = [0.05, 0, 0]\nframe_a = \"j{i}.frame_b\"\n"
        );
        before = format!("b{i}.frame_b");
    }
    text
}

/// To look for the effects of hundreds of parameters on a mechanism would take seconds, so all parameters count. Inputs are
/// looked at one by one: a controller of the positions makes no loop at the start.
#[test]
fn initial_values_of_a_mechanism_depend_on_inputs_exactly() {
    let description = resolved(&arm(6)).unwrap();
    let of = |name: &str| {
        let initial = &description.model_structure.initial_unknowns;
        let unknown = initial.iter().find(|unknown| description.variables[unknown.index].name == name).unwrap();
        let names = unknown.dependencies.as_ref().unwrap().iter().map(|index| &description.variables[*index]);
        names.map(|variable| (&*variable.name, variable.causality)).collect::<Vec<_>>()
    };
    let inputs = |name: &str| of(name).into_iter().filter(|(_, causality)| *causality == Causality::Input).count();
    assert_eq!((inputs("b5.r_0[1]"), inputs("b5.v_0[1]"), inputs("j5.w")), (0, 0, 0));
    assert_eq!((inputs("b5.a_0[1]"), inputs("j5.a"), inputs("b0.frame_b.r_0[1]")), (1, 1, 0));
    let parameters: Vec<_> = description.variables.iter().filter(|v| v.causality == Causality::Parameter).collect();
    let listed = of("b5.r_0[1]").len();
    assert!(listed > 100 && listed <= parameters.iter().filter(|variable| variable.is_real()).count(), "{listed}");

    // Without an input, the result is that everything depends on everything.
    let still = arm(6).replace("[parts.motor]\ntype = \"Torque\"\nflange = \"j0.axis\"\n", "");
    let initial = resolved(&still).unwrap().model_structure.initial_unknowns;
    assert!(!initial.is_empty() && initial.iter().all(|unknown| unknown.dependencies.is_none()));
}

#[test]
fn a_flange_of_the_system_is_a_connector_of_the_fmu() {
    let text = |coupling: &str| {
        format!(
            "[parts.a]\ntype = \"Inertia\"\n[parts.shaft]\ntype = \"Flange_b\"\nflange = \"a.flange_b\"\n{coupling}"
        )
    };
    for (coupling, inputs, states) in
        [("", &["shaft.tau"][..], 2), ("coupling = \"motion_in\"", &["shaft.phi", "shaft.w", "shaft.a"], 0)]
    {
        let description = resolved(&text(coupling)).unwrap();
        let [terminal] = &description.terminals[..] else { panic!("{:?}", description.terminals) };
        assert_eq!((&*terminal.name, terminal.connector), ("shaft", fmu_runtime::Connector::Flange_b));
        let members: Vec<_> = terminal.members.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(members, ["phi", "w", "a", "tau"]);
        let is_input = |variable: &&Variable| variable.causality == Causality::Input;
        let found: Vec<_> = description.variables.iter().filter(is_input).map(|variable| &*variable.name).collect();
        assert_eq!(found, inputs);
        assert_eq!(description.model_structure.derivatives.len(), states);
    }
}

/// The motion of a frame is given to the other FMU, and its load comes from there.
#[test]
fn a_frame_of_the_system_is_a_connector_of_the_fmu() {
    let text = "[parts.world]\ntype = \"World\"\n[parts.hinge]\ntype = \"Revolute\"\nframe_a = \"world.frame_b\"\n\
        [parts.arm]\ntype = \"Body\"\nr_CM = [1, 0, 0]\nframe_a = \"hinge.frame_b\"\n\
        [parts.tip]\ntype = \"Frame_b\"\nframe = \"arm.frame_a\"\norientation = \"quaternion\"\n";
    for (accelerations, expected) in [("", &["a_0", "z"][..]), ("accelerations = false", &[])] {
        let description = resolved(&format!("{text}{accelerations}")).unwrap();
        let [terminal] = &description.terminals[..] else { panic!("{:?}", description.terminals) };
        assert_eq!((&*terminal.name, terminal.connector), ("tip", fmu_runtime::Connector::Frame_b));
        let mut names: Vec<_> = terminal.members.iter().map(|member| member.name.split('[').next().unwrap()).collect();
        names.dedup();
        assert_eq!(names, [&["r_0", "Q", "v_0", "R.w"], expected, &["f", "t"]].concat());
        for member in &terminal.members {
            let is_load = member.name.starts_with(['f', 't']);
            let causality = if is_load { Causality::Input } else { Causality::Output };
            assert_eq!(description.variables[member.index].causality, causality, "{}", member.name);
        }
    }
}

/// The option `steady` belongs to a part, or to the system.
#[test]
fn systems_start_at_rest() {
    let spring = |own: &str, end: &str| {
        format!(
            "[parts.a]\ntype = \"Inertia\"\n{own}[parts.s]\ntype = \"Spring\"\nc = 50\nphi_rel0 = 0.5\n\
             flange_a = \"wall.flange\"\nflange_b = \"a.flange_a\"\n[parts.wall]\ntype = \"Fixed\"\n{end}"
        )
    };
    let started = |text: &str, name: &str| {
        let variables = resolved(text).unwrap().variables;
        variables.iter().any(|variable| variable.name == name)
    };
    assert!(started(&spring("", ""), "a.w_start"));
    assert!(!started(&spring("steady = true\n", ""), "a.w_start"));
    assert!(started(&spring("", "[structure]\nsteady = true\n"), "a.phi_start"));
    // With a start at rest, the dependencies of initial values are unknown.
    let dependencies = |text: &str| {
        let structure = resolved(text).unwrap().model_structure;
        structure.initial_unknowns.iter().all(|unknown| unknown.dependencies.is_none())
    };
    assert!(!dependencies(&spring("", "")));
    assert!(dependencies(&spring("", "[structure]\nsteady = true\n")));
    let refused = resolved(&spring("w = { start = 3, initial = \"enforce\" }\n", "[structure]\nsteady = true\n"));
    let expected = "a.w = 3.0 (nearest: 1.5";
    assert!(refused.as_ref().unwrap_err().contains(expected), "{refused:?}");
    let wrong = resolved(&spring("steady = 1\n", ""));
    assert!(wrong.as_ref().unwrap_err().contains("a.steady = 1: must be true or false"), "{wrong:?}");
}

/// The part is at a shaft whose states are those of another one, too: with `b.stateSelect` there would be a parameter
/// less.
#[test]
fn a_start_at_rest_is_not_said_to_have_no_effect() {
    let steady = "[parts.b]\ntype = \"Inertia\"\nsteady = true\nw = { start = 2, initial = \"INITIAL\" }";
    let text = between("type = \"IdealGear\"\nratio = 3\n").replace("[parts.b]\ntype = \"Inertia\"", steady)
        + "[parts.s]\ntype = \"Spring\"\nc = 50\nflange_a = \"a.flange_a\"\n\
           [parts.wall]\ntype = \"Fixed\"\nflange = \"s.flange_b\"\n";
    let description = resolved(&text.replace("INITIAL", "guess")).unwrap();
    assert!(description.warnings.is_empty(), "{:?}", description.warnings);
    // The option has an effect.
    let refused = resolved(&text.replace("INITIAL", "enforce")).unwrap_err();
    assert!(refused.contains("leave \"steady\" out"), "{refused}");
}

/// A bare start value is a guess, as in Modelica; one that is ignored is that of a parameter.
#[test]
fn start_values_are_enforced_guessed_or_ignored() {
    let geared = |a: &str, b: &str| {
        let text = between("type = \"IdealGear\"\n");
        let text = text.replacen("\"Inertia\"", &format!("\"Inertia\"\n{a}"), 1);
        text.replace("[parts.b]\ntype = \"Inertia\"", &format!("[parts.b]\ntype = \"Inertia\"\n{b}"))
    };
    let found = |text: &str, name: &str| {
        let description = resolved(text).unwrap();
        let variable = description.variables.iter().find(|variable| variable.name == name).cloned();
        let variable = variable.unwrap_or_else(|| panic!("there is no {name}"));
        let VariableType::Real { start, .. } = variable.kind else { panic!("{name}") };
        (variable.initial.unwrap(), start)
    };
    let text = geared("w = { start = 3, initial = \"enforce\" }", "phi = 2");
    assert_eq!(found(&text, "a.w"), (Initial::Exact, Some(3.0)));
    assert_eq!(found(&text, "b.phi"), (Initial::Approx, Some(2.0)));
    assert_eq!(found(&text, "a.phi"), (Initial::Calculated, None));
    assert_eq!(found(&text, "b.w_start"), (Initial::Exact, Some(0.0)));
    let text = geared("", "w = { start = 4 }");
    assert_eq!(found(&text, "b.w"), (Initial::Approx, Some(4.0)));
    let text = geared("", "stateSelect = \"prefer\"\nw = { start = 4, initial = \"ignore\" }");
    assert_eq!(found(&text, "b.w_start"), (Initial::Exact, Some(4.0)));
    assert_eq!(found(&text, "b.w"), (Initial::Calculated, None));
    let text = geared("w.initial = \"guess\"\nw.nominal = 100", "");
    assert_eq!(found(&text, "a.w"), (Initial::Approx, Some(0.0)));
}

#[test]
fn the_command_line_sets_what_the_file_does_not_say() {
    let text = between("type = \"Clutch\"\n");
    let set = |assignment: &str| commanded(&text, &[assignment]);
    for (assignment, name, expected) in
        [("c.cgeo=2", "c.cgeo", 2.0), ("a.w=7", "a.w", 7.0), ("b.w_start=3", "b.w_start", 3.0)]
    {
        let description = set(assignment).unwrap();
        let variable = description.variables.iter().find(|variable| variable.name == name).unwrap();
        let VariableType::Real { start, .. } = variable.kind else { panic!("{name}") };
        assert_eq!(start, Some(expected), "{assignment}");
    }
    for list in ["outputs=[\"a.w\", \"c.tau\"]", "outputs=[a.w, c.tau]", "outputs=a.w,c.tau"] {
        assert_eq!(set(list).unwrap().model_structure.outputs.len(), 2, "{list}");
    }
    assert_eq!(set("outputs=a.w").unwrap().model_structure.outputs.len(), 1);
    set("c.type=Brake").unwrap();
    let refused = [
        ("c.type=", "--set c.type=: must be one of Inertia"),
        ("c.type=Cluch", "--set c.type=Cluch: must be one of"),
        ("c.type=Cluch", "did you mean \"Clutch\"?"),
        ("c.cgo=2", "--set c.cgo=2: unknown name \"c.cgo\"; did you mean \"c.cgeo\"?"),
        ("d.cgeo=2", "--set d.cgeo=2: unknown name \"d.cgeo\"; did you mean \"c.cgeo\"?"),
        (
            "outputs=a.fi",
            "--set outputs=a.fi: outputs[1] = \"a.fi\": there is no such variable; did you mean \"a.phi\"?",
        ),
        (
            "outputs=[a.w,b.fi]",
            "--set outputs=[a.w,b.fi]: outputs[2] = \"b.fi\": there is no such variable; did you mean \"b.phi\"?",
        ),
        ("outputs=3", "--set outputs=3: must be an array of names, such as"),
        ("a.w={initial=\"enforced\"}", "a.w.initial must be one of ignore, guess, enforce; did you mean \"enforce\"?"),
    ];
    for (assignment, expected) in refused {
        let message = set(assignment).unwrap_err();
        assert!(message.contains(expected), "{message}\nexpected: {expected}");
    }
}

#[test]
fn outputs_are_chosen() {
    let clutch = between("type = \"Clutch\"\n") + "[parts.axle]\ntype = \"Flange_b\"\nflange = \"b.flange_b\"\n";
    let outputs = |text: &str| {
        let description = resolved(text).unwrap();
        let listed = &description.model_structure.outputs;
        let listed: Vec<_> = listed.iter().map(|unknown| description.variables[unknown.index].name.clone()).collect();
        let is_output = |variable: &&Variable| variable.causality == Causality::Output;
        let outputs: Vec<_> = description.variables.iter().filter(is_output).map(|one| one.name.clone()).collect();
        assert_eq!(outputs, listed);
        (outputs, description)
    };
    let (all, default) = outputs(&clutch);
    assert!(all.len() > 12, "{all:?}");
    // The names may be in any order. A connector of the system keeps its outputs.
    let (chosen, description) = outputs(&format!("outputs = [\"c.mode\", \"a.w\"]\n{clutch}"));
    assert_eq!(chosen, ["a.w", "c.mode", "axle.phi", "axle.w", "axle.a"]);
    assert_eq!(description.variables.len(), default.variables.len());
    assert_eq!(description.model_structure.derivatives.len(), default.model_structure.derivatives.len());
    assert_eq!(outputs(&format!("outputs = \"b.phi\"\n{clutch}")).0[0], "b.phi");
}

/// Returns two torques and a clutch whose signals come from inputs of the FMU.
fn signals(f_normalized: &str, taus: [&str; 2]) -> String {
    let torque = |name: &str, of: &str, tau: &str| {
        format!("[parts.{name}]\ntype = \"Torque\"\nflange = \"{of}.flange_b\"\ntau = {tau}\n")
    };
    between(&format!("type = \"Clutch\"\nf_normalized = {f_normalized}\n"))
        + &torque("t", "a", taus[0])
        + &torque("u", "b", taus[1])
}

#[test]
fn one_input_gives_several_their_values() {
    let text = signals("\"input.pedal\"", ["\"input.torque\"", "\"input.torque\""]);
    let inputs = |description: &Description| {
        let is_input = |variable: &&Variable| variable.causality == Causality::Input;
        description.variables.iter().filter(is_input).map(|one| one.name.clone()).collect::<Vec<_>>()
    };
    let description = resolved(&text).unwrap();
    assert_eq!(inputs(&description), ["pedal", "torque"]);
    let find = |name: &str| description.variables.iter().find(|variable| variable.name == name).unwrap();
    assert_eq!(find("u.tau").causality, Causality::Local);
    let VariableType::Real { unit, start, .. } = &find("torque").kind else { panic!() };
    assert_eq!((unit.as_deref(), *start), (Some("N.m"), Some(0.0)));
    let outputs = &description.model_structure.outputs;
    let of_b = outputs.iter().find(|unknown| description.variables[unknown.index].name == "b.a").unwrap();
    let known = of_b.dependencies.as_ref().unwrap().iter().map(|index| description.variables[*index].name.as_str());
    assert_eq!(known.collect::<Vec<_>>(), ["a.w", "b.w", "pedal", "torque"]);
    // There are start values, and values on the command line in place of an input.
    let started = resolved(&format!("{text}[parameters]\ntorque = 3\n")).unwrap();
    let torque = started.variables.iter().find(|variable| variable.name == "torque").unwrap();
    assert!(matches!(torque.kind, VariableType::Real { start: Some(3.0), .. }));
    assert_eq!(inputs(&commanded(&text, &["c.f_normalized=0.5"]).unwrap()), ["c.f_normalized", "torque"]);
    assert_eq!(inputs(&commanded(&text, &["u.tau=input.other"]).unwrap()), ["pedal", "torque", "other"]);
    let chosen = resolved(&format!("outputs = [\"u.tau\"]\n{text}")).unwrap();
    assert_eq!(chosen.model_structure.outputs.len(), 1);
}

/// The rates of a motion that one input gives are no inputs.
#[test]
fn one_input_gives_a_motion() {
    let text = "[parts.a]\ntype = \"Inertia\"\n[parts.p]\ntype = \"Position\"\nphi = \"input.angle\"\nflange = \"a.flange_b\"\n\
                [parameters]\nangle = 0.2\n";
    let description = resolved(text).unwrap();
    let find = |name: &str| description.variables.iter().find(|variable| variable.name == name).unwrap();
    let inputs: Vec<_> = description.variables.iter().filter(|one| one.causality == Causality::Input).collect();
    assert_eq!(inputs.len(), 1);
    assert_eq!(inputs[0].name, "angle");
    let expected = "Given motion; its derivatives count and are 0 unless set (fmi2SetRealInputDerivatives)";
    assert_eq!(inputs[0].description, expected);
    let VariableType::Real { unit, start, .. } = &inputs[0].kind else { panic!() };
    assert_eq!((unit.as_deref(), *start), (Some("rad"), Some(0.2)));
    for name in ["p.phi", "p.w", "p.a"] {
        assert_eq!(find(name).causality, Causality::Local, "{name}");
    }
    for fmi in ["3", "[2, 3]"] {
        let message = resolved(&format!("fmi = {fmi}\n{text}")).unwrap_err();
        let expected = "system.toml:6:7: p.phi = \"input.angle\": its rates are derivatives of the input, which FMI 3.0 has no \
                        function to set: build for FMI 2.0 alone (fmi = 2), or let the motion have its own inputs";
        assert_eq!(message, expected);
    }
}

#[test]
fn what_no_input_gives_is_refused() {
    let refused = |f_normalized: &str, taus: [&str; 2], more: &str| {
        let text = signals(f_normalized, taus);
        resolved(&text.replacen("type = \"Inertia\"", &format!("type = \"Inertia\"\n{more}"), 1)).unwrap_err()
    };
    let none = ["0", "0"];
    #[rustfmt::skip]
    let cases = [
        (refused("\"input.x\"", ["\"input.x\"", "0"], ""),
         "system.toml:16:7: t.tau = \"input.x\": t.tau is in N.m, but c.f_normalized, to which the same input gives its value, is a number without unit"),
        (refused("0", none, "J = \"input.x\""),
         "system.toml:3:5: a.J = \"input.x\": an input of the FMU can only be connected to inputs of parts, and a.J is not one"),
        (refused("\"input.a\"", none, ""),
         "c.f_normalized = \"input.a\": a part is named \"a\": give the input another name"),
        (refused("\"input.left foot\"", none, ""),
         "the name of an input must be letters, digits and _, and begin with a letter"),
        (refused("\"input.time\"", none, ""), "an input cannot be named \"time\": this name is reserved"),
        (refused("\"inputs.x\"", none, ""), "c.f_normalized = \"inputs.x\": must be a number"),
    ];
    for (message, expected) in cases {
        assert!(message.contains(expected), "{message}\nexpected: {expected}");
    }
    let shaft =
        "[parts.a]\ntype = \"Inertia\"\n[parts.s]\ntype = \"Flange_b\"\nflange = \"a.flange_b\"\ntau = \"input.x\"\n";
    let message = resolved(shaft).unwrap_err();
    let expected =
        "system.toml:6:7: s.tau = \"input.x\": s.tau belongs to the connector s, which is connected as a whole";
    assert!(message.contains(expected), "{message}");
    let motion =
        "[parts.a]\ntype = \"Inertia\"\n[parts.p]\ntype = \"Position\"\nflange = \"a.flange_b\"\nw = \"input.x\"\n";
    let message = resolved(motion).unwrap_err();
    let expected =
        "system.toml:6:1: p.w = \"input.x\": it follows from the input that gives the motion: connect that one alone";
    assert!(message.contains(expected), "{message}");
}

/// A housing has a connector by an option of the part, whichever end names the connection.
#[test]
fn housings_are_connected() {
    let text = |one: &str, other: &str| {
        format!(
            "[parts.a]\ntype = \"Inertia\"\n{other}\n[parts.h]\ntype = \"Inertia\"\n\
             [parts.b]\ntype = \"Brake\"\nflange_a = \"h.flange_b\"\nuseSupport = true\n{one}\n\
             [parts.s]\ntype = \"Spring\"\nflange_a = \"a.flange_b\"\nflange_b = \"h.flange_a\"\n"
        )
    };
    let dependencies = |text: &str| {
        let description = resolved(text).unwrap();
        let outputs = &description.model_structure.outputs;
        let of = |name: &str| outputs.iter().find(|output| description.variables[output.index].name == name).unwrap();
        let known = of("a.a").dependencies.clone().unwrap();
        known.iter().map(|index| description.variables[*index].name.clone()).collect::<Vec<_>>()
    };
    for text in [text("support = \"a.flange_a\"", ""), text("", "flange_a = \"b.support\"")] {
        assert_eq!(dependencies(&text), ["a.phi", "a.w", "h.phi", "h.w", "b.f_normalized"]);
    }
}

#[test]
fn what_cannot_move_is_refused() {
    let clutch = "type = \"Clutch\"\n";
    #[rustfmt::skip]
    let cases = [
        // Parts.
        ("[parts]\na = 3\n", "system.toml:2:1: \"a\" must be a section: [parts.a]"),
        ("[parts]\n", "system.toml:1:2: a system has no parts: add [parts.name]"),
        ("parts = 3\n", "system.toml:1:1: \"parts\" must be sections: [parts.name]"),
        ("[parts.a]\n[parts.b]\ntype = \"Inertia\"\n", "system.toml:1:8: part \"a\" has no type: add type = \"…\""),
        ("[parts.a]\nJ = 3\n", "system.toml:2:1: part \"a\" has no type: add type = \"…\""),
        ("[parts.\"1a\"]\ntype = \"Inertia\"\n",
         "system.toml:2:1: a part cannot be named \"1a\": use letters, digits and underscores, starting with a letter"),
        ("[parts.a]\ntype = \"Inerta\"\n", "system.toml:2:8: a.type = \"Inerta\": must be one of Inertia, Spring"),
        ("[parts.a]\ntype = \"Inerta\"\n", "did you mean \"Inertia\"?"),
        ("[parts.a]\ntype = \"Gear\"\n", "did you mean \"IdealGear\"?"),
        ("[parts.w]\ntype = \"World\"\n[parts.v]\ntype = \"World\"\n",
         "system.toml:4:1: the FMU would not start: \"v\" is a second World, but a system has only one"),
        (
            "[parts.w]\ntype = \"World\"\n[parts.s]\ntype = \"MultiBody.Spring\"\nframe_a = \"w.frame_b\"\n\
             [parts.f]\ntype = \"WorldForce\"\nframe_b = \"s.frame_b\"\n",
            "system.toml:4:1: \"s\" meets \"f\" at its frame_b, which nothing else carries: this point has no mass, so its motion does \
             not follow from forces; connect a Body to it, or a joint or a rigid part that carries it",
        ),
        (
            &(between("type = \"IdealGear\"\nratio = 2\n")
                + "[parts.d]\ntype = \"IdealGear\"\nratio = 3\nflange_a = \"a.flange_b\"\nflange_b = \"b.flange_a\"\n"),
            "the FMU would not start: \"c\" and \"d\" tie shafts in a circle whose ratios do not agree, so that",
        ),
        ("[parts.a]\ntype = \"Wheel\"\n",
         "; a part of your own needs the line component = \"…\" with the folder of its package"),
        ("[parts.a]\ntype = \"Inertia\"\nj = 2\n", "a.j"),
        ("[parts.a]\ntype = \"Inertia\"\nJ = -2\n", "system.toml:3:5: a.J = -2: must be at least 0.0 kg.m2"),
        ("[parts.a]\ntype = \"IdealGear\"\n",
         "nothing that moves with \"a.flange_b\" has inertia: connect an Inertia to it, or hold it by Fixed or Position"),
        ("component = \"Bushing\"\n[parts.a]\ntype = \"Inertia\"\n",
         "system.toml:1:13: component = \"Bushing\": [parts] make a system, which has no component: remove this line, or give the folder of a package with parts of your own, such as \"../flywheel\""),
        // Connections.
        (&between("type = \"Clutch\"\n").replace("a.flange_b", "a.flange_c"),
         "there is no connector \"a.flange_c\"; did you mean \"a.flange_a\"?"),
        (&between(clutch).replace("\"b.flange_a\"", "\"c.flange_a\""),
         "system.toml:10:12: c.flange_b = \"c.flange_a\": both are connectors of one part"),
        (&between(clutch).replace("\"b.flange_a\"", "3"), "must be the connector of another part in quotation marks"),
        (&(between(clutch) + "[parts.d]\ntype = \"Spring\"\n"),
         "system.toml:12:1: part \"d\" is connected to nothing: connect d.flange_a or d.flange_b to another part"),
        (&between("type = \"Clutch\"\nsupport = \"a.flange_a\"\n"), "c.support"),
        // Motion.
        (&between(clutch).replace("[parts.b]\ntype = \"Inertia\"", "[parts.b]\ntype = \"Spring\""),
         "nothing that moves with \"b.flange_a\" has inertia: connect an Inertia to it, or hold it by Fixed or Position"),
        (&between(clutch).replace("[parts.b]\ntype = \"Inertia\"", "[parts.b]\ntype = \"Inertia\"\nJ = 0"),
         "system.toml:5:1: the FMU would not start: nothing that moves with \"b\" has inertia"),
        (
            &(between("type = \"IdealGear\"\n")
                + "[parts.d]\ntype = \"Fixed\"\nflange = \"a.flange_a\"\n[parts.e]\ntype = \"Position\"\nflange = \"b.flange_b\"\n"),
            "system.toml:12:1: gears and shafts tie the motions that \"d\" and \"e\" give to each other: remove a part that prescribes a motion, or put a spring or a clutch in between",
        ),
        (
            &(between("type = \"IdealGear\"\n")
                + "[parts.d]\ntype = \"Fixed\"\nflange = \"a.flange_a\"\n[parts.e]\ntype = \"Fixed\"\nflange = \"b.flange_b\"\n"),
            "system.toml:12:1: \"d\" and \"e\" both hold the same shaft or rod still, so that one of them is redundant and nothing tells how they share its load: leave one of them out, or put a spring in between",
        ),
        // Parts without effect.
        (&(between(clutch) + "[parts.d]\ntype = \"Spring\"\nflange_a = \"a.flange_b\"\nflange_b = \"a.flange_a\"\n"),
         "system.toml:12:1: flange_a and flange_b of \"d\" never move relative to each other, so it has no effect: connect one of them to a part that moves, or leave \"d\" out"),
        (&between("type = \"Clutch\"\nmue_pos = [[0, 0.4], [0, 0.3]]\n"), "system.toml:9:1: the FMU would not start: c.mue_pos[2,1] is 0.0, but"),
        (&between("type = \"BearingFriction\"\ntau_pos = [[0, 1], [5, 2], [5, 3]]\n"),
         "c.tau_pos[3,1] is 5.0, but must be greater than the one before"),
        (&between("type = \"BearingFriction\"\nfn_max = 3\n"), "unknown parameter \"c.fn_max\""),
        (&(between(clutch) + "[parts.d]\ntype = \"Inertia\"\nflange_a = \"a.flange_b\"\nflange_b = \"d.flange_b\"\n"),
         "d.flange_b = \"d.flange_b\": both are connectors of one part"),
        // A circle of two, and one of three.
        (
            &between(clutch).replacen("\"Inertia\"\n", "\"Inertia\"\nflange_b = \"c.flange_a\"\n", 1),
            "system.toml:10:12: c.flange_a = \"a.flange_b\": these are already connected: give each connection at one end \
             only, without a circle",
        ),
        (
            &(between(clutch)
                + "[parts.d]\ntype = \"Damper\"\nflange_a = \"a.flange_b\"\n[parts.e]\ntype = \"Torque\"\nflange = \"d.flange_a\"\n")
                .replacen("\"Inertia\"\n", "\"Inertia\"\nflange_b = \"e.flange\"\n", 1),
            "system.toml:17:10: e.flange = \"d.flange_a\": these are already connected",
        ),
        (&between("type = \"IdealGear\"\nratio = 0\n"), "c.ratio is 0, but must be another number"),
        // Kinds of mechanics.
        (
            &between("type = \"Spring\"\n").replacen("\"Inertia\"", "\"Mass\"", 1),
            "system.toml:10:12: c.flange_b = \"b.flange_a\": c.flange_b is a translational flange, but b.flange_a is a \
             rotational flange; a Spring connects two of the same kind",
        ),
        (&between("type = \"Translational.Spring\"\n").replacen("\"Inertia\"", "\"Mass\"", 1),
         "c.flange_b = \"b.flange_a\": c.flange_b is a translational flange, but b.flange_a is a rotational flange"),
        (
            &between("type = \"IdealGear\"\n").replacen("\"Inertia\"", "\"Mass\"", 1),
            "system.toml:9:12: c.flange_a = \"a.flange_b\": c.flange_a is a rotational flange, but a.flange_b is a \
             translational flange",
        ),
        (&between("type = \"Translational.Sprng\"\n"), "did you mean \"Translational.Spring\"?"),
        (&between("type = \"Spring\"\ns_rel0 = 0.2\n"), "unknown parameter \"c.s_rel0\""),
        (
            "[parts.a]\ntype = \"Inertia\"\nphi_start = 1\n[parts.p]\ntype = \"Mass\"\n\
             [parts.r]\ntype = \"IdealGearR2T\"\nflangeR = \"a.flange_b\"\nflangeT = \"p.flange_a\"\n",
            "\"a.phi_start\" is a parameter that exists only with structure option a.stateSelect = prefer",
        ),
        // Of the two inertias that a gear ties together one has the states.
        (&between("type = \"IdealGear\"\n").replacen("\"Inertia\"", "\"Inertia\"\nw_start = 3", 1),
         "\"a.w_start\" is a parameter that exists only with structure option a.stateSelect = prefer"),
        // Outputs.
        (&format!("outputs = [\"a.w\", \"a.fi\"]\n{}", between("type = \"Clutch\"\n")),
         "system.toml:1:19: outputs[2] = \"a.fi\": there is no such variable; did you mean \"a.phi\"?"),
        (&format!("outputs = [\"a.w\", \"a.phi\", \"a.w\"]\n{}", between("type = \"Clutch\"\n")),
         "system.toml:1:28: outputs[3] = \"a.w\": is outputs[1] already: name each output once"),
        (&format!("outputs = [\"a.J\"]\n{}", between("type = \"Clutch\"\n")),
         "system.toml:1:12: outputs[1] = \"a.J\": is a parameter, but an output is a computed variable"),
        (&format!("outputs = [\"c.f_normalized\"]\n{}", between("type = \"Clutch\"\n")),
         "outputs[1] = \"c.f_normalized\": is an input, but an output is a computed variable"),
        (&format!("outputs = 3\n{}", between("type = \"Clutch\"\n")),
         "system.toml:1:11: outputs = 3: must be an array of names, such as [\"part.variable\"]; without this line all computed variables are outputs"),
        (&format!("{}[structure]\noutputs = [\"a.w\"]\n", between("type = \"Clutch\"\n")),
         "outputs = [\"a.w\"]: belongs before the first section"),
        // Start values.
        (
            &between("type = \"IdealGear\"\n").replacen(
                "\"Inertia\"",
                "\"Inertia\"\nw = { start = 3, initial = \"enforced\" }",
                1,
            ),
            "system.toml:3:28: a.w.initial = \"enforced\": must be one of ignore, guess, enforce; did you mean \"enforce\"?",
        ),
        (&between("type = \"IdealGear\"\n").replacen("\"Inertia\"", "\"Inertia\"\nw = \"fast\"", 1),
         "system.toml:3:5: a.w = \"fast\": must be a number"),
        (
            &between("type = \"IdealGear\"\nratio = 2\n")
                .replace("\"Inertia\"", "\"Inertia\"\nw = { start = 3, initial = \"enforce\" }"),
            "system.toml:3:7: the FMU would not start: enforced start values contradict each other or what is given: a.w = 3.0 (nearest: 3.6), b.w = 3.0 (nearest: 1.8); the smallest residual is 1.3416",
        ),
        (&between("type = \"Clutch\"\n").replacen("\"Inertia\"", "\"Inertia\"\na = 3", 1),
         "system.toml:3:1: \"a.a\" is an output; only parameters and start values"),
    ];
    let answer = |text: &str| resolved(text).err().unwrap_or_else(|| "accepted".to_owned());
    let problem = |(text, expected): (&str, &str)| {
        let message = answer(text);
        (!message.contains(expected)).then(|| format!("{text}\n{message}\nexpected: {expected}\n"))
    };
    let problems: Vec<_> = cases.into_iter().filter_map(problem).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_pressure_in_a_cylinder_has_events() {
    let text = "[parts.piston]\ntype = \"Mass\"\ns_start = 0.1\n[parts.head]\ntype = \"Fixed\"\n[parts.gas]\ntype = \
                \"GasForce\"\nflange_a = \"head.flange\"\nflange_b = \"piston.flange_a\"\n";
    let description = resolved(text).unwrap();
    assert_eq!(description.event_indicators, 3);
    let outputs = &description.model_structure.outputs;
    let press = outputs.iter().find(|unknown| description.variables[unknown.index].name == "gas.press").unwrap();
    let dependencies = press.dependencies.clone().unwrap();
    let names: Vec<_> = dependencies.into_iter().map(|index| description.variables[index].name.as_str()).collect();
    assert_eq!(names, ["piston.s"]);
}

/// A name that rotational and translational parts share means the kind of the parts around it.
#[test]
fn springs_are_what_they_connect() {
    let types = |text: &str| -> Vec<(String, String)> {
        let description = resolved(text).unwrap_or_else(|message| panic!("{message}"));
        let types = description.structure.into_iter().filter_map(|option| {
            let part = option.name.strip_suffix(".type")?;
            Some((part.to_owned(), option.value))
        });
        types.collect()
    };
    let find = |types: &[(String, String)], part: &str| {
        let found = types.iter().find(|(name, _)| name == part);
        found.unwrap_or_else(|| panic!("no {part}")).1.clone()
    };
    let springs = between("type = \"Spring\"\n");
    assert_eq!(find(&types(&springs), "c"), "Spring");
    let masses = springs.replace("Inertia", "Mass");
    assert_eq!(find(&types(&masses), "c"), "Translational.Spring");
    // The kind follows through another part whose kind is unknown, and is given at the other part.
    let wall = masses.clone()
        + "[parts.d]\ntype = \"SpringDamper\"\nflange_b = \"e.flange\"\n[parts.e]\ntype = \"Fixed\"\n"
        + "[parts.f]\ntype = \"Mass\"\nflange_a = \"d.flange_a\"\ns_start = 2\n";
    for (part, expected) in [("d", "Translational.SpringDamper"), ("e", "Translational.Fixed"), ("f", "Mass")] {
        assert_eq!(find(&types(&wall), part), expected);
    }
    for (given, expected) in [("Rotational.Spring", "Spring"), ("Translational.Spring", "Translational.Spring")] {
        let text = if expected == given { &masses } else { &springs };
        assert_eq!(find(&types(&text.replace("\"Spring\"", &format!("\"{given}\""))), "c"), expected);
    }
    assert_eq!(find(&types(&springs.replace("\"Inertia\"", "\"Rotational.Inertia\"")), "a"), "Inertia");
}

/// Returns a pendulum, with other lines of the body.
fn pendulum(body: &str) -> String {
    format!(
        "[parts.world]\ntype = \"World\"\n[parts.joint]\ntype = \"Revolute\"\nframe_a = \"world.frame_b\"\n[parts.body]\n\
         type = \"Body\"\nframe_a = \"joint.frame_b\"\n{body}"
    )
}

#[test]
fn a_mechanism_has_the_states_of_its_joints() {
    let description = resolved(&pendulum("r_CM = [0.5, 0, 0]\n")).unwrap();
    assert!(description.warnings.is_empty(), "{:?}", description.warnings);
    let name = |index: usize| description.variables[index].name.as_str();
    let derivatives: Vec<_> =
        description.model_structure.derivatives.iter().map(|unknown| name(unknown.index)).collect();
    assert_eq!(derivatives, ["joint.w", "joint.a"]);
    let depends = |output: &str| {
        let outputs = &description.model_structure.outputs;
        let unknown = outputs.iter().find(|unknown| name(unknown.index) == output).unwrap();
        unknown.dependencies.iter().flatten().map(|index| name(*index)).collect::<Vec<_>>()
    };
    assert_eq!(depends("body.r_0[1]"), Vec::<&str>::new(), "the body's frame is on the axis");
    assert_eq!(depends("joint.a"), ["joint.phi"]);
    assert_eq!(depends("joint.frame_a.f[1]"), ["joint.phi", "joint.w"]);
    assert_eq!(depends("joint.tau"), Vec::<&str>::new(), "nothing drives the joint");
    let brake = "[parts.brake]\ntype = \"Brake\"\nflange_a = \"joint.axis\"\n";
    assert_eq!(resolved(&(pendulum("") + brake)).unwrap().event_indicators, 4);
}

#[test]
fn a_fixed_frame_is_what_it_connects() {
    let text = pendulum("").replace("world.frame_b", "wall.frame_b")
        + "[parts.wall]\ntype = \"Fixed\"\nr = [1, 2, 3]\n[parts.base]\ntype = \"FixedTranslation\"\nframe_a = \
           \"world.frame_b\"\n";
    let description = resolved(&text).unwrap();
    let wall = description.structure.iter().find(|option| option.name == "wall.type").unwrap();
    assert_eq!(wall.value, "MultiBody.Fixed");
}

#[test]
fn a_tensor_that_no_body_has_is_warned_of() {
    let warnings = resolved(&pendulum("I_11 = 1\nI_22 = 0.25\nI_33 = 0.5\n")).unwrap().warnings;
    assert_eq!(
        warnings,
        [
            "system.toml:9:1: body.I_11 to I_32 make an inertia tensor with the principal moments 0.25, 0.5 and 1.0 kg.m2, which no body has: the \
          largest is at most the sum of the others"
        ]
    );
}

/// Names of parts differ by case alone, are words of Modelica, or are long.
#[test]
fn parts_have_any_identifier_as_name() {
    let long = "L".repeat(1500);
    for [one, other] in [["A", "a"], ["input", "output"], ["time", "der"], ["model", "end"], ["true", &long]] {
        let text = format!(
            "[parts.{one}]\ntype = \"Inertia\"\n[parts.{other}]\ntype = \"Inertia\"\n[parts.s]\ntype = \"Spring\"\n\
             flange_a = \"{one}.flange_b\"\nflange_b = \"{other}.flange_a\"\n"
        );
        let description = resolved(&text).unwrap();
        for name in [one, other] {
            let of_part = format!("{name}.w");
            assert!(description.variables.iter().any(|variable| variable.name == of_part), "{of_part}");
        }
    }
    assert_eq!(
        resolved("[parts.\"Größe\"]\ntype = \"Inertia\"\n").unwrap_err(),
        "system.toml:2:1: a part cannot be named \"Größe\": use letters, digits and underscores, starting with a letter"
    );
    for (key, unit) in [("c", "N.m/rad"), ("d", "N.m.s/rad")] {
        assert_eq!(
            resolved(&between(&format!("type = \"SpringDamper\"\n{key} = -1\n"))).unwrap_err(),
            format!("system.toml:9:5: c.{key} = -1: must be at least 0.0 {unit}")
        );
    }
}

#[test]
fn a_system_in_which_nothing_happens_is_warned_of() {
    let warnings = |text: &str| resolved(text).unwrap().warnings;
    let [world, wall] = ["[parts.w]\ntype = \"World\"\n", "[parts.w]\ntype = \"Fixed\"\n"];
    let rigid = format!("{world}[parts.b]\ntype = \"BodyBox\"\nframe_a = \"w.frame_b\"\n");
    for text in [world, wall, &rigid] {
        assert_eq!(
            warnings(text),
            [
                "system.toml:2:1: \"w\": nothing in this system can move or act, so all that it computes is constant: add what \
              moves, such as an Inertia, a Mass, or a Body behind a joint"
            ]
        );
    }
    // Springs bear loads, and flanges and given motions have inputs.
    let spring = "[parts.s]\ntype = \"Spring\"\nflange_a = \"w.flange\"\n[parts.o]\ntype = \"Fixed\"\nflange = \"s.flange_b\"\nphi0 = 1\n";
    for part in [spring, "[parts.t]\ntype = \"Torque\"\nflange = \"w.flange\"\n"] {
        assert_eq!(warnings(&format!("{wall}{part}")), [""; 0]);
    }
    assert_eq!(warnings("[parts.a]\ntype = \"Position\"\n"), [""; 0]);
    assert_eq!(warnings("[parts.a]\ntype = \"ConstantSpeed\"\n"), [""; 0]);
    assert_eq!(warnings("[parts.a]\ntype = \"Constant\"\n"), [""; 0]);
}

#[test]
fn a_system_starts_with_the_parameters_of_the_file() {
    // With the default axes, both joints would turn about the same axis; with the default lengths, the body would be
    // where point gravity is infinite.
    let universal = pendulum("m = 1\nr_CM = [0.1, 0, 0]\n")
        .replace("frame_a = \"joint.frame_b\"", "frame_a = \"second.frame_b\"")
        + "[parts.second]\ntype = \"Revolute\"\nn = [0, 1, 0]\nframe_a = \"joint.frame_b\"\n";
    let orbit =
        pendulum("r_CM = [1, 0, 0]\n").replace("\"World\"", "\"World\"\ngravityType = \"PointGravity\"\nmue = 1");
    for text in [universal, orbit] {
        let description = resolved(&text).unwrap();
        assert!(description.warnings.is_empty(), "{:?}", description.warnings);
    }
}

#[test]
fn mechanisms_that_cannot_move_are_refused_with_their_place() {
    let rod =
        "[parts.second]\ntype = \"Revolute\"\nn = [1, 0, 0]\nframe_a = \"body.frame_a\"\nframe_b = \"world.frame_b\"\n";
    let drive = "[parts.motor]\ntype = \"Torque\"\nflange = \"joint.frame_b\"\n";
    #[rustfmt::skip]
    let cases = [
        (pendulum(rod),
         "\"joint\" and \"second\" close a ring in which nothing can move: put a joint with more freedom in place of one of them"),
        (
            pendulum(drive),
            "system.toml:11:10: motor.flange = \"joint.frame_b\": motor.flange is a rotational flange, but joint.frame_b is a \
             frame",
        ),
        (pendulum("").replace("[parts.world]\ntype = \"World\"\n", "").replace("frame_a = \"world.frame_b\"\n", ""),
         "system.toml:2:1: \"joint\" is a part in space, which needs a part of type World: connect it to the frame_b of one"),
        (
            pendulum("m = 0\nI_33 = 0\n"),
            "system.toml:4:1: the FMU would not start: \"joint\" can move without moving any inertia: what is behind it needs a \
             mass away from its axis, or moments of inertia",
        ),
        (pendulum("I_21 = 1\n"),
         "body.I_11 to I_32 make an inertia tensor with the principal moment -0.999 kg.m2, but none can be negative"),
        (pendulum("m = -1\n"), "system.toml:9:5: body.m = -1: must be at least 0.0 kg"),
        (pendulum("").replace("frame_a = \"world", "n = [0, 0, 0]\nframe_a = \"world"),
         "joint.n is [0.0, 0.0, 0.0], but must have a direction"),
    ];
    for (text, expected) in cases {
        let message = resolved(&text).err().unwrap_or_else(|| panic!("accepted, not {expected}"));
        assert!(message.contains(expected), "{message}\n{expected}");
    }
}

/// Returns a crank of 1 m with a rod of a length.
fn slider_crank(rod: &str) -> String {
    pendulum("m = 1\n[parts.web]\ntype = \"FixedTranslation\"\nr = [1, 0, 0]\nframe_a = \"joint.frame_b\"\n")
        + &format!(
            "[parts.rod]\ntype = \"JointRRP\"\nframe_a = \"web.frame_b\"\nframe_b = \"world.frame_b\"\n{rod}\n[parts.piston]\n\
             type = \"Body\"\nframe_a = \"rod.frame_im\"\n"
        )
}

#[test]
fn an_assembly_adds_no_state() {
    let text = slider_crank("rRod1_ia = [3, 0, 0]\nrRod2_ib = [0, 0, 0]");
    let description = resolved(&text).unwrap();
    assert!(description.warnings.is_empty(), "{:?}", description.warnings);
    let name = |index: usize| description.variables[index].name.as_str();
    let derivatives: Vec<_> =
        description.model_structure.derivatives.iter().map(|unknown| name(unknown.index)).collect();
    assert_eq!(derivatives, ["joint.w", "joint.a"]);
    let outputs = &description.model_structure.outputs;
    let depends = |output: &str| {
        let unknown = outputs.iter().find(|unknown| name(unknown.index) == output).unwrap();
        let dependencies = unknown.dependencies.as_ref().expect("they are known");
        dependencies.iter().map(|index| name(*index)).collect::<Vec<_>>()
    };
    assert_eq!(depends("rod.s"), ["joint.phi"]);
    assert_eq!(depends("rod.axis.v"), ["joint.phi", "joint.w"]);
    assert_eq!(depends("joint.a"), ["joint.phi", "joint.w"]);
    assert_eq!(depends("rod.f"), Vec::<&str>::new(), "nothing drives it");
}

#[test]
fn loops_that_cannot_be_closed_are_refused_with_their_place() {
    let still = slider_crank("").replace("\"web.frame_b\"", "\"world.frame_b\"");
    let open = slider_crank("").replacen("frame_b = \"world.frame_b\"\n\n[parts.piston]", "[parts.piston]", 1);
    #[rustfmt::skip]
    let cases = [
        (
            slider_crank("rRod1_ia = [0.5, 0, 0]\nrRod2_ib = [0, 0, 0]\nn_b = [0, 1, 0]"),
            "system.toml:15:1: the FMU would not start: \"rod\": rod 1 cannot close the loop: it is 0.5 m long, but the distance \
             between its ends is at least 1.0 m: 0.5 m are missing, at 0.0 s",
        ),
        (still,
         "system.toml:15:1: frame_a and frame_b of \"rod\" are rigidly connected, so nothing in this assembly can move"),
        (open, "system.toml:15:1: \"rod\" is connected to the world at frame_a, but not at frame_b"),
        (slider_crank("[parts.drive]\ntype = \"Translational.Position\"\nflange = \"rod.axis\""),
         "the motion at the axis of \"rod\" follows from that of the mechanism, and cannot be given"),
        (slider_crank("rRod1_ia = [3, 0, 0]\nn_b = [1, 0, 1]"),
         "the FMU would not start: rod.n_b must be perpendicular to n_a, but the angle between them is"),
    ];
    for (text, expected) in cases {
        let message = resolved(&text).err().unwrap_or_else(|| panic!("accepted, not {expected}"));
        assert!(message.contains(expected), "{message}\n{expected}");
    }
}

#[test]
fn signals_give_inputs_their_values() {
    let text = "[parts.sine]\ntype = \"Sine\"\nf = 2\n[parts.gain]\ntype = \"Gain\"\nu = \"sine.y\"\n[parts.add]\ntype = \
                \"Add\"\nu1 = \"gain.y\"\n[parts.motor]\ntype = \"Torque\"\ntau = \"add.y\"\nflange = \
                \"shaft.flange_a\"\n[parts.shaft]\ntype = \"Inertia\"\n[parts.drive]\ntype = \"Position\"\nphi = \
                \"sine.y\"\nflange = \"far.flange_a\"\n[parts.far]\ntype = \"Inertia\"\n";
    let description = resolved(text).unwrap();
    let of = |causality| {
        let variables = description.variables.iter().filter(move |variable| variable.causality == causality);
        variables.map(|variable| variable.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of(Causality::Input), ["add.u2"]);
    let local = of(Causality::Local);
    for name in ["gain.u", "add.u1", "motor.tau", "drive.phi", "drive.w", "drive.a"] {
        assert!(local.contains(&name), "{name}: {local:?}");
    }
    assert!(description.follows_time);
    let depend = |unknown: &str| {
        let mut outputs = description.model_structure.outputs.iter();
        let output = outputs.find(|output| description.variables[output.index].name == unknown).unwrap();
        let known = output.dependencies.as_ref().unwrap().iter();
        known.map(|index| description.variables[*index].name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(depend("shaft.a"), ["add.u2"]);
    assert_eq!(depend("far.a"), Vec::<&str>::new());
    // A number in place of a signal, on the command line.
    let inputs = commanded(text, &["motor.tau=0.5"]).unwrap();
    let inputs = inputs.variables.iter().filter(|variable| variable.causality == Causality::Input);
    assert_eq!(inputs.map(|one| one.name.as_str()).collect::<Vec<_>>(), ["add.u2", "motor.tau"]);
}

#[test]
fn what_no_signal_gives_is_refused() {
    let refused = |connection: &str| {
        let text = "[parts.sine]\ntype = \"Sine\"\n[parts.on]\ntype = \"Hysteresis\"\n[parts.a]\ntype = \"Inertia\"\n[parts.t]\ntype = \
                    \"Torque\"\nflange = \"a.flange_a\"\n";
        resolved(&format!("{text}{connection}\n")).err().unwrap_or_else(|| panic!("accepted: {connection}"))
    };
    #[rustfmt::skip]
    let cases = [
        ("tau = \"sin.y\"",
         "system.toml:10:7: t.tau = \"sin.y\": must be a number, an input of the FMU such as \"input.pedal\", or a signal; there is no signal \"sin.y\"; did you mean \"sine.y\"?"),
        ("tau = \"on.y\"", "system.toml:10:7: t.tau = \"on.y\": on.y is true or false, but t.tau is in N.m"),
        ("tau = \"a.w\"", "system.toml:10:7: t.tau = \"a.w\": a.w is in rad/s, but t.tau is in N.m"),
        (
            "[parts.g]\ntype = \"Gain\"\nu = \"a.w\"",
            "system.toml:12:1: g.u = \"a.w\": there is no signal \"a.w\": \"a\" has no signals; blocks have, such as Constant, Sine or \
             Gain",
        ),
        ("[parts.g]\ntype = \"Gain\"\nk = \"sine.y\"",
         "system.toml:12:5: g.k = \"sine.y\": a signal can only be connected to inputs of parts, and g.k is not one"),
        (
            "[parts.g]\ntype = \"Gain\"\nu = \"h.y\"\n[parts.h]\ntype = \"Gain\"\nu = \"g.y\"",
            "the signals g -> h -> g go round in a circle in which each follows from the others at once: put a block with a state into \
             it, such as a FirstOrder, or leave a connection out",
        ),
        (
            "[parts.p]\ntype = \"Position\"\nflange = \"b.flange_a\"\nphi = \"sine.y\"\nw = \"sine.y\"\n[parts.b]\ntype = \
             \"Inertia\"",
            "system.toml:14:1: p.w = \"sine.y\": it follows from the signal that gives the motion: connect that one alone",
        ),
        ("[parts.w]\ntype = \"TimeTable\"\ntable = [[0, 1], [2, 0], [1, 3]]",
         "w.table[3,1] is 1.0, but times must not fall, and the one before is 2.0"),
        ("[parts.w]\ntype = \"TimeTable\"\ntable = [[1, 1], [2, 0]]",
         "w.table[1,1] is 1.0, but the first time must be 0: startTime shifts the table"),
        ("[parts.w]\ntype = \"Limiter\"\nuMin = 0", "uMin"),
    ];
    for (connection, expected) in cases {
        let message = refused(connection);
        assert!(message.contains(expected), "{message}\n{expected}");
    }
}

/// Loads, contacts, vehicles and thermal parts with values, words and connections that cannot be.
#[test]
fn loads_and_thermal_parts_refuse_what_is_wrong() {
    let on_shaft = |part: &str| format!("[parts.a]\ntype = \"Inertia\"\n[parts.p]\nflange = \"a.flange_a\"\n{part}\n");
    let on_rod = |part: &str| format!("[parts.a]\ntype = \"Mass\"\n[parts.p]\nflange = \"a.flange_a\"\n{part}\n");
    let contact = |part: &str| {
        let text = "[parts.a]\ntype = \"Inertia\"\n[parts.f]\ntype = \"Fixed\"\nflange = \"p.flange_a\"\n[parts.p]\nflange_b = \"a.flange_a\"";
        format!("{text}\n{part}\n")
    };
    #[rustfmt::skip]
    let cases = [
        (on_shaft("type = \"LinearSpeedDependentTorque\"\nw_nominal = 0"),
         "system.toml:6:13: p.w_nominal = 0: must be at least 1.0e-15"),
        (on_shaft("type = \"SignTorque\"\nw0 = -1"), "system.toml:6:6: p.w0 = -1: must be at least 1.0e-15"),
        (on_shaft("type = \"SignTorque\"\nreg = \"Cubic\""),
         "system.toml:6:7: p.reg = \"Cubic\": must be one of Exp, Sine, Linear, CoSine"),
        (on_shaft("type = \"SignTorque\"\nv0 = 1"),
         "system.toml:6:1: unknown parameter \"p.v0\"; did you mean \"p.w0\"?"),
        (on_shaft("type = \"EddyCurrentTorque\"\nTRef = -1"), "system.toml:6:8: p.TRef = -1: must be at least 0"),
        (on_shaft("type = \"EddyCurrentTorque\"\nalpha20 = 0.01\nTRef = 93.15"),
         "p.alpha20 is 0.01, but 1 + alpha20 (TRef - 293.15 K), which is -0.99"),
        (on_shaft("type = \"RollingResistance\""),
         "system.toml:4:10: p.flange = \"a.flange_a\": p.flange is a translational flange, but a.flange_a is a rotational flange"),
        (on_rod("type = \"RollingResistance\"\nv0 = 0"), "system.toml:6:6: p.v0 = 0: must be at least 1.0e-15"),
        (on_rod("type = \"RollingResistance\"\ncr = 0.1"), "p.cr"),
        (contact("type = \"ElastoBacklash\"\nb = -0.1"), "system.toml:9:5: p.b = -0.1: must be at least 0"),
        (contact("type = \"ElastoBacklash2\"\nd = -1"), "system.toml:9:5: p.d = -1: must be at least 0"),
        (contact("type = \"ElastoBacklash\"\nn = 1.5"), "p.n"),
        ("[parts.v]\ntype = \"Vehicle\"\nR = 0\n".to_owned(), "system.toml:3:5: v.R = 0: must be at least 1.0e-12"),
        ("[parts.v]\ntype = \"Vehicle\"\nm = -1\n".to_owned(), "system.toml:3:5: v.m = -1: must be at least 0"),
        (
            "[parts.c]\ntype = \"HeatCapacitor\"\nC = 0\n[parts.f]\ntype = \"FixedHeatFlow\"\nport = \"c.port\"\n"
                .to_owned(),
            "system.toml:3:5: c.C = 0: must be at least 1.0e-12",
        ),
        (contact("type = \"Damper\"\nuseHeatPort = true\nheatPort = \"a.flange_b\""),
         "system.toml:10:12: p.heatPort = \"a.flange_b\": p.heatPort is a heat port, but a.flange_b is a rotational flange"),
        (contact("type = \"Damper\"\nheatPort = \"c.port\"\n[parts.c]\ntype = \"HeatCapacitor\""),
         "part \"c\" is connected to nothing"),
        (
            contact(
                "type = \"Damper\"\nuseHeatPort = true\nheatPort = \"c.port_a\"\n[parts.c]\ntype = \"ThermalConductor\"",
            ),
            "nothing to which heat can flow from \"p.heatPort\" has a heat capacity or a given temperature: connect a HeatCapacitor, \
             or a Convection to a FixedTemperature",
        ),
    ];
    for (text, expected) in cases {
        let message = resolved(&text).err().unwrap_or_else(|| panic!("not refused: {text}"));
        assert!(message.contains(expected), "{text}\n{message}\nexpected: {expected}");
    }
}

/// For each block, sensor and part a value out of bounds, else a key or a connection that it does not have.
#[test]
fn blocks_and_parts_refuse_what_is_wrong() {
    let block = |part: &str| {
        format!(
            "[parts.a]\ntype = \"Inertia\"\n[parts.t]\ntype = \"ConstantTorque\"\nflange = \"a.flange_a\"\n[parts.p]\n{part}\n"
        )
    };
    let on =
        |mass: &str, part: &str| format!("[parts.a]\ntype = \"{mass}\"\n[parts.p]\nflange = \"a.flange_a\"\n{part}\n");
    let (on_shaft, on_rod) = (|part: &str| on("Inertia", part), |part: &str| on("Mass", part));
    let between = |mass: &str, part: &str| {
        format!(
            "[parts.a]\ntype = \"{mass}\"\n[parts.b]\ntype = \"{mass}\"\n[parts.p]\nflange_a = \"a.flange_a\"\nflange_b = \"b.flange_a\"\n{part}\n"
        )
    };
    let on_body = |part: &str| {
        format!(
            "[parts.world]\ntype = \"World\"\n[parts.a]\ntype = \"Body\"\n[parts.p]\nframe_a = \"a.frame_a\"\n{part}\n"
        )
    };
    let bevel = |key: &str| {
        on_body(&format!(
            "type = \"BevelGear1D\"\n{key}\n[parts.r]\ntype = \"Rotor1D\"\nframe_a = \"a.frame_a\"\nflange_a = \"p.flange_b\""
        ))
    };
    let heat = |part: &str| format!("[parts.a]\ntype = \"HeatCapacitor\"\n[parts.p]\n{part}\n");
    #[rustfmt::skip]
    let cases = [
        (block("type = \"FirstOrder\"\nT = 0"), "system.toml:8:5: p.T = 0: must be at least 1.0e-12 s"),
        (block("type = \"SecondOrder\"\nw = 0"), "system.toml:8:5: p.w = 0: must be at least 1.0e-12 rad/s"),
        (block("type = \"Derivative\"\nT = 0"), "system.toml:8:5: p.T = 0: must be at least 1.0e-12 s"),
        (block("type = \"PI\"\nT = -1"), "system.toml:8:5: p.T = -1: must be at least 1.0e-12 s"),
        (block("type = \"Integrator\"\nT = 1"), "system.toml:8:1: unknown parameter \"p.T\"; did you mean \"p.k\"?"),
        (block("type = \"Sine\"\nfrequency = 1"), "system.toml:8:1: unknown parameter \"p.frequency\""),
        (block("type = \"ExpSine\"\ndamp = 1"),
         "system.toml:8:1: unknown parameter \"p.damp\"; did you mean \"p.damping\"?"),
        (block("type = \"Product\"\nu3 = \"p.y\""), "system.toml:8:1: unknown parameter \"p.u3\"; did you mean \"p.u1\"?"),
        (block("type = \"Less\"\nthreshold = 1"), "system.toml:8:1: unknown parameter \"p.threshold\""),
        (block("type = \"Greater\"\nu = 1"), "system.toml:8:1: unknown parameter \"p.u\"; did you mean \"p.u1\"?"),
        (block("type = \"LessEqual\"\nthreshold = 1"), "system.toml:8:1: unknown parameter \"p.threshold\""),
        (block("type = \"GreaterEqual\"\nu = 1"), "system.toml:8:1: unknown parameter \"p.u\"; did you mean \"p.u1\"?"),
        (block("type = \"GreaterThreshold\"\nu1 = 1"), "system.toml:8:1: unknown parameter \"p.u1\"; did you mean \"p.u\"?"),
        (block("type = \"LessThreshold\"\nu2 = 1"), "system.toml:8:1: unknown parameter \"p.u2\"; did you mean \"p.u\"?"),
        (block("type = \"GreaterEqualThreshold\"\nu1 = 1"),
         "system.toml:8:1: unknown parameter \"p.u1\"; did you mean \"p.u\"?"),
        (block("type = \"LessEqualThreshold\"\nu2 = 1"),
         "system.toml:8:1: unknown parameter \"p.u2\"; did you mean \"p.u\"?"),
        (block("type = \"And\"\nu = true"), "system.toml:8:1: unknown parameter \"p.u\"; did you mean \"p.u1\"?"),
        (block("type = \"Or\"\nu1 = 2"), "system.toml:8:6: p.u1 = 2: must be true or false"),
        (block("type = \"Not\"\nu1 = true"), "system.toml:8:1: unknown parameter \"p.u1\"; did you mean \"p.u\"?"),
        (block("type = \"BooleanToReal\"\nrealtrue = 2"),
         "system.toml:8:1: unknown parameter \"p.realtrue\"; did you mean \"p.realTrue\"?"),
        (between("Inertia", "type = \"ForceSensor\""),
         "system.toml:6:12: p.flange_a = \"a.flange_a\": p.flange_a is a translational flange, but a.flange_a is a rotational flange\nsystem.toml:7:12: p.flange_b = \"b.flange_a\": p.flange_b is a translational flange, but b.flange_a is a rotational flange"),
        (on_rod("type = \"SpeedSensor\"\nflange_a = \"a.flange_b\""),
         "system.toml:6:1: unknown parameter \"p.flange_a\"; did you mean \"a.flange_a\"?"),
        (between("Mass", "type = \"ElastoGap\"\nn = 0.5"), "system.toml:9:5: p.n = 0.5: must be at least 1.0"),
        (between("Mass", "type = \"ElastoGap\"\nc = -1"), "system.toml:9:5: p.c = -1: must be at least 0.0 N/m"),
        (between("Mass", "type = \"ElastoGap\"\nb = 1"),
         "system.toml:9:1: unknown parameter \"p.b\"; did you mean \"p.c\"?"),
        (bevel("ratio = 0"),
         "system.toml:8:1: the FMU would not start: p.ratio is 0, but must be another number: positive, or negative where the direction changes"),
        (bevel("n_a = [0, 0, 0]"),
         "system.toml:8:1: the FMU would not start: p.n_a is [0.0, 0.0, 0.0], but must have a direction"),
        (on_body("type = \"Mounting1D\"\nn = [0, 0, 0]"),
         "system.toml:8:1: the FMU would not start: p.n is [0.0, 0.0, 0.0], but must have a direction"),
        (between("Inertia", "type = \"Disc\"\nL = 1"), "system.toml:9:1: unknown parameter \"p.L\""),
        (between("Mass", "type = \"Translational.Brake\"\nfn_max = -1"),
         "system.toml:9:10: p.fn_max = -1: must be at least 0.0 N"),
        (on_shaft("type = \"ConstantTorque\"\nf_constant = 1"),
         "system.toml:6:1: unknown parameter \"p.f_constant\"; did you mean \"p.tau_constant\"?"),
        (on_rod("type = \"ConstantForce\"\ntau_constant = 1"),
         "system.toml:6:1: unknown parameter \"p.tau_constant\"; did you mean \"p.f_constant\"?"),
        (on_shaft("type = \"ConstantSpeed\"\nv_fixed = 1"),
         "system.toml:6:1: unknown parameter \"p.v_fixed\"; did you mean \"p.w_fixed\"?"),
        (on_rod("type = \"Translational.ConstantSpeed\"\nw_fixed = 1"),
         "system.toml:6:1: unknown parameter \"p.w_fixed\"; did you mean \"p.v_fixed\"?"),
        (on_shaft("type = \"TorqueStep\"\nstepForce = 1"),
         "system.toml:6:1: unknown parameter \"p.stepForce\"; did you mean \"p.stepTorque\"?"),
        (on_rod("type = \"ForceStep\"\nstepTorque = 1"),
         "system.toml:6:1: unknown parameter \"p.stepTorque\"; did you mean \"p.stepForce\"?"),
        (between("Inertia", "type = \"Torque2\"\nf = 1"),
         "system.toml:9:1: unknown parameter \"p.f\"; did you mean \"p.flange_a\"?"),
        (between("Mass", "type = \"Force2\"\ntau = 1"), "system.toml:9:1: unknown parameter \"p.tau\""),
        (on_shaft("type = \"Accelerate\"\na = 1"),
         "system.toml:6:1: \"p.a\" is an output; only parameters and start values can be set"),
        (on_rod("type = \"Translational.Accelerate\"\nw_start = 1"),
         "system.toml:6:1: unknown parameter \"p.w_start\"; did you mean \"p.s_start\"?"),
        (on_rod("type = \"EddyCurrentForce\"\nv_nominal = 0"),
         "system.toml:6:13: p.v_nominal = 0: must be at least 1.0e-15 m/s"),
        (on_rod("type = \"LinearSpeedDependentForce\"\nv_nominal = 0"),
         "system.toml:6:13: p.v_nominal = 0: must be at least 1.0e-15 m/s"),
        (on_rod("type = \"SignForce\"\nv0 = 0"), "system.toml:6:6: p.v0 = 0: must be at least 1.0e-15 m/s"),
        (heat("type = \"ThermalResistor\"\nR = 0\nport_a = \"a.port\""),
         "system.toml:5:5: p.R = 0: must be at least 1.0e-12 K/W"),
        (heat("type = \"PrescribedHeatFlow\"\nT_ref = -1\nport = \"a.port\""),
         "system.toml:5:9: p.T_ref = -1: must be at least 0.0 K"),
        (heat("type = \"Convection\"\nGc = -1\nsolid = \"a.port\""), "system.toml:5:6: p.Gc = -1: must be at least 0.0 W/K"),
    ];
    for (text, expected) in cases {
        assert_eq!(resolved(&text).err().as_deref(), Some(expected), "{text}");
    }
}

/// A damper of rods stays one when its heat port is connected, and a connected port is no longer one of the FMU.
#[test]
fn heat_ports_are_connected_inside_or_lead_outside() {
    let text = |port: &str| {
        format!(
            "[parts.m]\ntype = \"Mass\"\n[parts.d]\ntype = \"Damper\"\nuseHeatPort = true\nflange_b = \"m.flange_a\"\n{port}\n[parts.f]\n\
             type = \"Fixed\"\nflange = \"d.flange_a\"\n[parts.c]\ntype = \"HeatCapacitor\"\nT = 350.0\n[parts.g]\ntype = \
             \"ThermalConductor\"\nport_a = \"c.port\"\n"
        )
    };
    let [inside, outside] = ["heatPort = \"c.port\"", ""].map(|port| resolved(&text(port)).unwrap());
    let causality = |description: &Description, name: &str| {
        description.variables.iter().find(|variable| variable.name == name).unwrap().causality
    };
    assert_eq!(causality(&inside, "d.heatPort.T"), Causality::Local);
    assert_eq!(causality(&outside, "d.heatPort.T"), Causality::Input);
    let ports =
        |description: &Description| description.terminals.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    assert_eq!(ports(&outside), ["d.heatPort"]);
    assert!(ports(&inside).is_empty());
    assert!(inside.variables.iter().any(|variable| variable.name == "d.f"));
}

#[test]
fn the_examples_are_systems() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut count = 0;
    for entry in fs_err::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let description = of_file(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
            // A ring of joints whose conditions are redundant is meant.
            let unexpected: Vec<_> =
                description.warnings.iter().filter(|text| !text.contains("conditions follow from others")).collect();
            assert!(unexpected.is_empty(), "{unexpected:?}");
            count += 1;
        }
    }
    assert!(count > 0);
}

/// A calculated parameter of FMI with a guess.
#[test]
fn a_parameter_that_the_start_determines_is_calculated() {
    let file = fmu_tests::finished::root().join("examples/msl/multibody-init-spring-constant.toml");
    let text = fs_err::read_to_string(file).unwrap();
    let description = resolved(&text).unwrap();
    let c = description.variables.iter().find(|variable| variable.name == "spring.c").unwrap();
    assert_eq!((c.causality, c.initial), (Causality::CalculatedParameter, Some(Initial::Approx)));
    assert!(matches!(c.kind, VariableType::Real { start: Some(100.0), .. }), "{:?}", c.kind);
    let refused = resolved(&text.replace("\"find\"", "\"guess\"")).unwrap_err();
    assert!(refused.ends_with("must be \"find\", or leave it out: then the value holds"), "{refused}");
    let refused = resolved(&text.replace("steady = true\n", "")).unwrap_err();
    assert!(
        refused.contains("the FMU would not start: spring.c is to be found, but nothing starts at rest"),
        "{refused}"
    );
}
