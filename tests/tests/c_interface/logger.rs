//! Messages of the importer's logger, and their form.

use fmu_tests::api::{CInstance, CO_SIMULATION, MODEL_EXCHANGE, Message, Setup, Status, messages_to};

use crate::fixture::{INTERFACES, fmu};

fn fmi(change: impl FnOnce(&mut Setup<'_>)) -> CInstance {
    let mut setup = fmu("sample").setup(CO_SIMULATION);
    change(&mut setup);
    fmu("sample").api.instantiate(setup).unwrap_or_else(|messages| panic!("{messages:?}"))
}

/// The messages about an unknown category, which contain its name.
fn echo(fmi: &CInstance, text: &str) -> Vec<Message> {
    assert_eq!(fmi.set_debug_logging(true, &[text]), Status::Ok);
    fmi.messages()
}

fn undoubled(message: &str) -> String {
    message.replace("%%", "%").replace("##", "#")
}

#[test]
fn l1_the_environment_comes_back() {
    for environment in [1, 0xdead_beef, usize::MAX] {
        let fmi = fmi(|setup| setup.environment = Some(environment));
        assert_eq!(fmi.get_real(&[u32::MAX]).0, Status::Error);
        assert_eq!(messages_to(environment).len(), 1);
    }
    let null = fmi(|setup| (setup.environment, setup.name) = (Some(0), Some("without environment".as_bytes())));
    assert_eq!(null.get_real(&[u32::MAX]).0, Status::Error);
    assert!(messages_to(0).iter().any(|message| message.name == "without environment"));
}

#[test]
fn l1_the_name_is_a_copy() {
    // The fixture overwrites its arguments after the call.
    let fmi = fmi(|setup| setup.name = Some("Gummilager % # vorn ä".as_bytes()));
    assert_eq!(fmi.get_real(&[u32::MAX]).0, Status::Error);
    assert_eq!(fmi.messages()[0].name, "Gummilager % # vorn ä");
}

#[test]
fn l5_p6_categories_are_declared() {
    let declared: Vec<_> = fmu("sample").description.log_categories.iter().map(|category| &category.name).collect();
    let fmi = fmi(|setup| setup.logging_on = true);
    let k = fmu("sample").vr("k");
    assert_eq!(fmi.setup_experiment(Some(-1.0), 0.0, None), Status::Ok);
    assert_eq!(fmi.set_real(&[k], &[-1.0]), Status::Discard);
    assert_eq!(fmi.set_real(&[k], &[f64::NAN]), Status::Error);
    let messages = fmi.messages();
    let found: Vec<_> = messages.iter().map(|message| (message.category.as_deref().unwrap(), message.status)).collect();
    let expected =
        [("logStatusWarning", Status::Ok), ("logStatusDiscard", Status::Discard), ("logStatusError", Status::Error)];
    assert_eq!(found, expected);
    for message in messages {
        assert!(declared.contains(&message.category.as_ref().unwrap()), "{message:?}");
    }
}

#[test]
fn l2_l3_l4_percent_and_hash_are_doubled() {
    let fmi = fmi(|setup| setup.logging_on = true);
    let messages = echo(&fmi, "100 % of #r1# %s%n");
    assert!(messages[0].text.contains("\"100 %% of ##r1## %%s%%n\""), "{}", messages[0].text);
    assert!(messages[0].printed().contains("\"100 % of ##r1## %s%n\""), "{}", messages[0].printed());
}

#[test]
fn l6_utf8_passes() {
    let fmi = fmi(|setup| setup.logging_on = true);
    assert!(echo(&fmi, "ä 日本 🔩")[0].text.contains("\"ä 日本 🔩\""));
}

#[test]
fn l6_long_messages_are_split_below_1000_bytes() {
    let fmi = fmi(|setup| setup.logging_on = true);
    for unit in ["a", "ä", "日", "🔩", "%", "#", "a%", "日%🔩#"] {
        for shift in 0..5 {
            let long = "b".repeat(shift) + &unit.repeat(5000 / unit.len());
            let messages = echo(&fmi, &long);
            assert!(messages.len() > 1, "{unit}");
            for message in &messages {
                assert!(message.length < 1000, "{unit}: {}", message.length);
                assert!(!message.text.contains('\u{fffd}'), "{unit}: cut inside a character");
                let signs = message.text.replace("%%", "").replace("##", "");
                assert!(!signs.contains(['%', '#']), "{unit}: cut inside a doubled sign");
            }
            let whole: String = messages.iter().map(|message| undoubled(&message.text)).collect();
            assert!(whole.contains(&format!("\"{long}\"")), "{unit}");
        }
    }
}

#[test]
fn l7_categories_are_switched_one_by_one() {
    let fmi = fmi(|_| {});
    let k = fmu("sample").vr("k");
    let discard = || {
        assert_eq!(fmi.set_real(&[k], &[-1.0]), Status::Discard);
        fmi.messages().len()
    };
    let warning = || {
        assert_eq!(fmi.setup_experiment(Some(-1.0), 0.0, None), Status::Ok);
        fmi.messages().len()
    };
    let switch = |on, categories: &[&str]| assert_eq!(fmi.set_debug_logging(on, categories), Status::Ok);
    assert_eq!((discard(), warning()), (0, 0), "loggingOn was false");
    switch(true, &["logStatusDiscard"]);
    assert_eq!((discard(), warning()), (1, 0));
    switch(true, &[]);
    assert_eq!((discard(), warning()), (1, 1));
    switch(false, &["logStatusDiscard", "logStatusError"]);
    assert_eq!((discard(), warning()), (0, 1));
    switch(false, &[]);
    assert_eq!((discard(), warning()), (0, 0));
}

#[test]
fn l7_an_unknown_category_is_logged_and_changes_nothing() {
    let fmi = fmi(|setup| setup.logging_on = true);
    let messages = echo(&fmi, "logAll");
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].category.as_deref(), Some("logStatusWarning"));
    for category in &fmu("sample").description.log_categories {
        assert!(messages[0].text.contains(&category.name), "{}", messages[0].text);
    }
    assert_eq!(fmi.set_debug_logging(false, &["logAll"]), Status::Ok);
    assert_eq!(fmi.messages().len(), 1, "warnings are still on");
}

#[test]
fn l8_errors_are_logged_also_without_logging_unless_their_category_is_off() {
    for kind in INTERFACES {
        let fmi = fmi(|setup| setup.kind = kind);
        assert_eq!(fmi.get_real(&[u32::MAX]).0, Status::Error);
        assert_eq!(fmi.messages().len(), 1);
        assert_eq!(fmi.set_debug_logging(false, &["logStatusError"]), Status::Ok);
        assert_eq!(fmi.get_real(&[u32::MAX]).0, Status::Error);
        assert_eq!(fmi.messages(), []);
    }
}

#[test]
fn l8_a_successful_run_logs_nothing() {
    for kind in [CO_SIMULATION, MODEL_EXCHANGE] {
        let fmi = fmi(|setup| (setup.kind, setup.logging_on) = (kind, true));
        assert_eq!(fmi.setup_experiment(Some(1e-6), 0.0, Some(1.0)), Status::Ok);
        assert_eq!(fmi.enter_initialization_mode(), Status::Ok);
        assert_eq!(fmi.exit_initialization_mode(), Status::Ok);
        assert_eq!(fmi.terminate(), Status::Ok);
        assert_eq!(fmi.messages(), []);
    }
}

#[test]
fn l10_freeing_an_instance_logs_nothing() {
    for spoilt in [false, true] {
        let fmi = fmi(|setup| setup.logging_on = true);
        if spoilt {
            assert_eq!(fmi.get_real(&[u32::MAX]).0, Status::Error);
        }
        assert_eq!(fmi.free(), []);
    }
}
