//! Arguments that fmi2Instantiate rejects, and its messages.

use fmu_runtime::CONFIGURATION;
use fmu_tests::api::{Api, CO_SIMULATION, MODEL_EXCHANGE, Setup, Status};

use crate::fixture::{INTERFACES, fmu, library};

/// Returns the only message of an instantiation that must fail.
fn refusal(setup: Setup<'_>) -> String {
    let messages = fmu("sample").api.instantiate(setup).err().expect("this must be refused");
    assert_eq!(messages.len(), 1, "{messages:?}");
    let message = &messages[0];
    assert_eq!((message.status, message.category.as_deref()), (Status::Error, Some("logStatusError")));
    let name = setup.name.map(String::from_utf8_lossy).unwrap_or_default();
    assert_eq!(message.name, name);
    message.text.strip_prefix("fmi2Instantiate: ").expect("the function's name").to_owned()
}

#[test]
fn rule_1_5_1_needs_callback_functions() {
    let setup = Setup { callbacks: false, ..fmu("sample").setup(CO_SIMULATION) };
    assert_eq!(fmu("sample").api.instantiate(setup).err(), Some(Vec::new()));
}

#[test]
fn rule_1_5_2_needs_a_name() {
    for name in [None, Some(b"".as_slice()), Some(b"  \t\n")] {
        let setup = Setup { name, ..fmu("sample").setup(CO_SIMULATION) };
        assert_eq!(refusal(setup), "instanceName is missing or blank");
    }
}

#[test]
fn rule_6_1_a_name_that_is_not_utf8_is_no_reason_to_refuse() {
    let setup = Setup { name: Some(b"Gummilager h\xe4rter"), ..fmu("sample").setup(CO_SIMULATION) };
    let fmi = fmu("sample").api.instantiate(setup).ok().unwrap();
    assert_eq!(fmi.get_real(&[u32::MAX]).0, Status::Error);
    assert_eq!(fmi.messages()[0].name, "Gummilager h\u{fffd}rter");
}

#[test]
fn rule_1_5_3_compares_the_guid_and_names_both() {
    let fmu = fmu("sample");
    assert_eq!(refusal(Setup { guid: None, ..fmu.setup(CO_SIMULATION) }), "fmuGUID is missing");
    let own = fmu.description.guid.as_str();
    let bare = own.trim_matches(['{', '}']);
    for wrong in ["", "{}", bare, &own.to_uppercase(), &format!("{own} ")] {
        let message = refusal(Setup { guid: Some(wrong.as_bytes()), ..fmu.setup(CO_SIMULATION) });
        let (given, needed) = message.split_once(", but ").unwrap();
        assert_eq!(given, format!("fmuGUID is {wrong}"));
        assert!(needed.ends_with(own) && needed.contains("configuration.txt"), "{message}");
    }
}

#[test]
fn rule_1_5_3_names_the_default_configuration_where_there_are_no_resources() {
    let api = Api::load(library("sample")).unwrap();
    let messages = api.instantiate(Setup::new(CO_SIMULATION, "{wrong}")).err().unwrap();
    assert!(messages[0].text.contains("default configuration, since no resources folder was found"), "{messages:?}");
}

/// Returns the bits of a Real, as written in a configuration.
fn bits(value: f64) -> String {
    fmu_runtime::real_text(value)
}

#[test]
fn rule_1_5_3_a_configuration_with_its_own_guid_is_checked_all_the_same() {
    let fmu = fmu("sample");
    let folder = tempfile::tempdir().unwrap();
    let refused = |lines: &str| {
        fs_err::write(folder.path().join(CONFIGURATION), format!("{}{lines}\n", fmu.description.configuration))
            .unwrap();
        let setup =
            |guid| Setup { location: folder.path().to_str().map(str::as_bytes), ..Setup::new(CO_SIMULATION, guid) };
        let wrong = fmu.api.instantiate(setup("{wrong}")).err().unwrap();
        let guid = wrong[0].text.rsplit(' ').next().unwrap();
        let messages = fmu.api.instantiate(setup(guid)).err().unwrap_or_else(|| panic!("{lines} must be refused"));
        messages[0].text.strip_prefix("fmi2Instantiate: ").expect("the function's name").to_owned()
    };
    let [zero, one] = [0.0, 1.0].map(bits);
    #[rustfmt::skip]
    let cases = [
        (format!("start m {zero}"), "start value of \"m\" is 0.0, but must be at least 0.001"),
        (format!("start k {}", bits(1e7)), "start value of \"k\" is 10000000.0, but must be from 0.0 to 1000000.0"),
        ("start steps 0".to_owned(), "start value of \"steps\" is 0, but must be from 1 to 1000"),
        ("start m 7ff0000000000000".to_owned(),
         "start value of \"m\" is \"7ff0000000000000\", which is not a finite Real"),
        ("start trouble other".to_owned(), "start value of \"trouble\" is \"other\", which is not an item of Trouble"),
        (format!("start mass {one}"),
         "the configuration gives a start value to \"mass\", which is not a variable here"),
        (format!("start steps 5\nstart m {one}"),
         "the configuration gives a start value to \"m\", which is not a variable here"),
        (format!("table lookup 1 1 {one}"), "table \"lookup\" has 1 columns, but takes 2"),
        (format!("attachment data {} points.csv", "0".repeat(64)),
         "the configuration attaches a file to \"data\", which takes none here"),
        (format!("table looked 1 2 {one} {one}"),
         "the configuration gives a table \"looked\", which does not exist here"),
        ("structure damped maybe".to_owned(), "structure option \"damped\" is \"maybe\", but takes true or false"),
    ];
    for (line, message) in cases {
        assert_eq!(refused(&line), message);
    }
}

#[test]
fn rule_1_5_4_needs_a_known_type() {
    for kind in [-1, 2, i32::MAX] {
        assert!(refusal(fmu("sample").setup(kind)).starts_with("fmuType is neither"));
    }
}

#[test]
fn rule_1_5_6_stays_silent_without_a_logger() {
    for kind in INTERFACES {
        let setup = Setup { logger: false, logging_on: true, ..fmu("sample").setup(kind) };
        let fmi = fmu("sample").api.instantiate(setup).ok().unwrap();
        assert_eq!(fmi.get_real(&[u32::MAX]).0, Status::Error);
        assert_eq!(fmi.messages(), []);
        let setup = Setup { guid: None, ..setup };
        assert_eq!(fmu("sample").api.instantiate(setup).err(), Some(Vec::new()));
    }
}

#[test]
fn rule_1_5_9_p14_names_need_not_be_unique() {
    let instances: Vec<_> = (0..10).map(|i| fmu("sample").instance(i % 2)).collect();
    for (i, instance) in instances.iter().enumerate() {
        instance.set(&[("m", 1.0 + i as f64)]);
    }
    for (i, instance) in instances.iter().enumerate() {
        assert_eq!(instance.value("m"), 1.0 + i as f64);
    }
}

#[test]
fn rule_1_5_7_instances_come_and_go_ten_thousand_times() {
    let fmu = fmu("bushing");
    for i in 0..10_000 {
        let fmi = fmu.api.instantiate(Setup::new(i % 2, &fmu.description.guid)).ok().unwrap();
        assert_eq!(fmi.setup_experiment(None, 0.0, None), Status::Ok);
    }
}

#[test]
fn b7_s7_a_library_is_loaded_and_unloaded_a_hundred_times() {
    for freed in [true, false] {
        for _ in 0..100 {
            let api = Api::load(&fmu("bushing").binary).unwrap();
            let fmi = api.instantiate(fmu("bushing").setup(MODEL_EXCHANGE)).ok().unwrap();
            drop(api);
            assert_eq!(fmi.setup_experiment(None, 0.0, None), Status::Ok);
            if freed { drop(fmi) } else { fmi.abandon() }
        }
    }
}

/// The library is a copy that nothing else in this process uses.
#[cfg(target_os = "linux")]
#[test]
fn b7_an_unloaded_library_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.so");
    fs_err::copy(&fmu("sample").binary, &copy).unwrap();
    let is_mapped = || fs_err::read_to_string("/proc/self/maps").unwrap().contains(copy.to_str().unwrap());
    for freed in [true, false] {
        let api = Api::load(&copy).unwrap();
        let fmi = api.instantiate(fmu("sample").setup(MODEL_EXCHANGE)).ok().unwrap();
        drop(api);
        assert!(is_mapped());
        if freed {
            drop(fmi)
        } else {
            fmi.abandon()
        }
        assert!(!is_mapped(), "freed: {freed}");
    }
}
