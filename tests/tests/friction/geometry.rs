//! Configurations in which the friction surfaces determine cgeo, and the nominal angle.

use fmu_builder::description::Causality;
use fmu_builder::{Description, Settings};
use fmu_tests::finished::resolve;

use crate::fixture::{assert_close, brake, clutch, describe, get, set};

/// Returns the description of a component with a configuration file, or the message with the file's bare name.
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

fn nominal(description: &Description, name: &str) -> Option<f64> {
    description.variables.iter().find(|variable| variable.name == name)?.attributes.nominal
}

const SURFACES: [&str; 4] = ["useSurfaces=true", "N=4", "r_o=0.11", "r_i=0.07"];

#[test]
fn cgeo_follows_from_the_friction_surfaces() {
    for fmu in [clutch(&[&SURFACES[..], &["fn_max=8"]].concat()), brake(&[&SURFACES[..], &["fn_max=8"]].concat())] {
        let cgeo = fmu.description.variables.iter().find(|variable| variable.name == "cgeo").unwrap();
        assert_eq!(cgeo.causality, Causality::CalculatedParameter);
        let instance = fmu.instance();
        set(&instance, &[("f_normalized", 1.0), ("flange_a.tau", 100.0)]);
        instance.initialise();
        assert_eq!(get(&instance, "cgeo"), 4.0 / 2.0 * (0.11 + 0.07));
        assert_close(get(&instance, "tau").abs(), 0.36 * 8.0 * 0.5, 1e-12);
    }
}

#[test]
fn surfaces_need_their_option() {
    refused(
        "[parameters]\nN = 2",
        "disc.toml:2:1: \"N\" is a parameter that exists only with structure option useSurfaces = true",
    );
    refused(
        "[structure]\nuseSurfaces = true\n[parameters]\ncgeo = 1.0",
        "disc.toml:4:1: \"cgeo\" is computed from parameters; only parameters and start values can be set",
    );
}

#[test]
fn surfaces_that_cannot_be() {
    let refused = |assignments: [&str; 3]| {
        let all = [&["useSurfaces=true"], &assignments[..]].concat();
        let messages = ["clutch", "brake"].map(|component| describe(component, &all).unwrap_err().to_string());
        assert_eq!(messages[0], messages[1]);
        messages[0].clone()
    };
    for r_i in ["0.1", "0.2"] {
        let message = refused(["N=2", "r_o=0.1", &format!("r_i={r_i}")]);
        assert_eq!(message, format!("the FMU would not start: r_i is {r_i}, but must be less than r_o = 0.1"));
    }
    assert_eq!(refused(["N=0", "r_o=0.1", "r_i=0.05"]), "--set N=0: must be at least 1");
    assert_eq!(refused(["N=1.5", "r_o=0.1", "r_i=0.05"]), "--set N=1.5: must be a whole number");
    assert_eq!(refused(["N=2", "r_o=0.1", "r_i=-0.1"]), "--set r_i=-0.1: must be at least 0.0 m");
    // A solid disc has an inner radius of 0.
    assert!(describe("brake", &["useSurfaces=true", "N=2", "r_o=0.1", "r_i=0"]).is_ok());
}

#[test]
fn the_nominal_angle_is_chosen() {
    assert_eq!(nominal(&describe("clutch", &[]).unwrap(), "phi_rel"), Some(1e-4));
    let chosen = configured("clutch", "[structure]\nphi_nominal = 0.25").unwrap();
    assert_eq!(nominal(&chosen, "phi_rel"), Some(0.25));
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
