//! Configurations in which the friction surfaces determine cgeo, and the nominal angle.

use fmu_builder::description::Kind;
use fmu_builder::{Catalogue, Description, Library, Settings, schema, template};
use fmu_tests::finished::{self, resolve};

use crate::fixture::describe;

/// The description of a component with a configuration file, or the message with the file's bare name.
fn configured(component: &str, text: &str) -> Result<Description, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("disc.toml");
    fs_err::write(&path, text).unwrap();
    let described = Settings::from_toml(&path).and_then(|settings| resolve(component, &settings));
    described.map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

fn refused(text: &str, message: &str) {
    for component in ["clutch", "brake"] {
        assert_eq!(configured(component, text).unwrap_err(), message, "{text}");
    }
}

/// A variable's start or nominal value.
fn real(description: &Description, name: &str, of: fn(&Kind) -> Option<f64>) -> Option<f64> {
    description.variables.iter().find(|variable| variable.name == name).and_then(|variable| of(&variable.kind))
}

fn start(kind: &Kind) -> Option<f64> {
    if let Kind::Real { start, .. } = kind { *start } else { None }
}

fn nominal(kind: &Kind) -> Option<f64> {
    if let Kind::Real { nominal, .. } = kind { *nominal } else { None }
}

#[test]
fn cgeo_follows_from_the_friction_surfaces() {
    for component in ["clutch", "brake"] {
        let geometry = configured(component, "[geometry]\nN = 4\nr_o = 0.11\nr_i = 0.07").unwrap();
        assert_eq!(real(&geometry, "cgeo", start), Some(4.0 * (0.11 + 0.07) / 2.0));
        let parameter = configured(component, "[parameters]\ncgeo = 0.36").unwrap();
        assert_eq!(geometry.guid, parameter.guid, "one FMU, however its parameter is given");
        let command = describe(component, &["geometry.N=4", "geometry.r_o=0.11", "geometry.r_i=0.07"]).unwrap();
        assert_eq!(command.guid, geometry.guid);
    }
}

#[test]
fn cgeo_is_given_once() {
    refused(
        "[parameters]\ncgeo = 1.0\n[geometry]\nN = 2\nr_o = 0.1\nr_i = 0.05",
        "disc.toml:2:1: cgeo follows from [geometry] already, at disc.toml:4:1",
    );
}

#[test]
fn radii_in_the_wrong_order() {
    let right = "must be less than r_o = 0.1";
    for r_i in ["0.1", "0.2"] {
        refused(&format!("[geometry]\nN = 2\nr_o = 0.1\nr_i = {r_i}"), &format!("disc.toml:4:7: r_i = {r_i}: {right}"));
    }
    let command = ["geometry.N=2", "geometry.r_o=0.1", "geometry.r_i=0.2"];
    let message = describe("clutch", &command).unwrap_err().to_string();
    assert_eq!(message, format!("--set geometry.r_i=0.2: r_i {right}"));
}

#[test]
fn surfaces_that_cannot_be() {
    let with = |n: &str, r_o: &str, r_i: &str| format!("[geometry]\nN = {n}\nr_o = {r_o}\nr_i = {r_i}");
    for n in ["0", "-2", "1.5", "nan", "\"two\""] {
        let message = format!("disc.toml:2:5: N = {n}: must be a whole number of at least 1");
        refused(&with(n, "0.1", "0.05"), &message);
    }
    for r in ["-0.1", "inf", "nan", "true"] {
        refused(&with("2", r, "0.05"), &format!("disc.toml:3:7: r_o = {r}: must be a finite number greater than 0"));
        refused(&with("2", "0.1", r), &format!("disc.toml:4:7: r_i = {r}: must be a finite number of at least 0"));
    }
    refused(&with("2", "0", "0"), "disc.toml:3:7: r_o = 0: must be a finite number greater than 0");
}

#[test]
fn a_solid_disc_has_an_inner_radius_of_zero() {
    let disc = configured("brake", "[geometry]\nN = 2\nr_o = 0.1\nr_i = 0").unwrap();
    assert_eq!(real(&disc, "cgeo", start), Some(0.1));
}

#[test]
fn surfaces_that_are_too_large() {
    let message = "disc.toml:2:1: cgeo = N (r_o + r_i) / 2 is too large; it must be a finite number";
    refused("[geometry]\nN = 1e300\nr_o = 1e10\nr_i = 1e9", message);
}

#[test]
fn surfaces_that_are_not_all_given() {
    let entries = ["N = 2", "r_o = 0.1", "r_i = 0.05"];
    for (missing, name) in ["N", "r_o", "r_i"].into_iter().enumerate() {
        let mut others = entries.to_vec();
        others.remove(missing);
        refused(
            &format!("[geometry]\n{}", others.join("\n")),
            &format!("disc.toml:2:1: [geometry] lacks {name}; it takes N, r_o and r_i"),
        );
    }
    refused(
        "[geometry]\nN = 2\nr_o = 0.1\nr_i = 0.05\nr_m = 0.07",
        "disc.toml:5:1: unknown \"r_m\" in [geometry], which takes N, r_o and r_i; did you mean \"r_o\"?",
    );
    refused("geometry = 2", "disc.toml:1:1: \"geometry\" must be a section: [geometry]");
}

#[test]
fn the_nominal_angle_is_chosen() {
    assert_eq!(real(&describe("clutch", &[]).unwrap(), "phi_rel", nominal), Some(1e-4));
    let chosen = configured("clutch", "[structure]\nphi_nominal = 0.25").unwrap();
    assert_eq!(real(&chosen, "phi_rel", nominal), Some(0.25));
    assert!(chosen.configuration.contains("\nstructure phi_nominal 3fd0000000000000 0.25\n"));
    assert_eq!(chosen.warnings, [""; 0]);
    let default = configured("clutch", "[structure]\nphi_nominal = 1e-4").unwrap();
    assert_eq!(default.guid, describe("clutch", &[]).unwrap().guid);
    assert_ne!(default.guid, chosen.guid);
    let option = chosen.structure.iter().find(|option| option.name == "phi_nominal").unwrap();
    assert_eq!((option.value.as_str(), option.default.as_str()), ("0.25", "0.0001"));
}

#[test]
fn a_nominal_angle_that_cannot_be() {
    for value in ["0", "-1e-4", "inf", "nan", "\"small\"", "true"] {
        let message = format!("disc.toml:2:15: phi_nominal = {value}: must be a finite number greater than 0");
        assert_eq!(configured("clutch", &format!("[structure]\nphi_nominal = {value}")).unwrap_err(), message);
    }
    let message = configured("clutch", "[parameters]\nphi_nominal = 1.0").unwrap_err();
    assert_eq!(message, "disc.toml:2:1: \"phi_nominal\" is a structure option; it belongs under [structure]");
}

#[test]
fn editors_and_templates_know_the_section() {
    let library = Library::load(&finished::library("clutch")).unwrap();
    let catalogue = Catalogue::new(&library).unwrap();
    let template = template(&catalogue, "clutch", None);
    assert!(template.ends_with(
        "#[geometry]\n# Number of friction surfaces\n#N =\n# Outer radius in m\n#r_o =\n# Inner radius in m\n#r_i =\n"
    ));
    let section = &schema(&catalogue, "clutch")["properties"]["geometry"];
    assert_eq!(section["required"], serde_json::json!(["N", "r_o", "r_i"]));
    assert_eq!(section["properties"]["r_o"]["exclusiveMinimum"], 0);
}
