//! Configuration files and `--set`: problems have locations, and the library accepts what the builder accepts.

use std::cell::RefCell;
use std::collections::BTreeMap;

use fmu_builder::description::Description;
use fmu_builder::{Error, Settings};
use fmu_runtime::DeclarationRequest;

use crate::components::{COMPONENTS, Component, Describing, Prepared, folder};
use crate::instance::{Experiment, Instance, Kind};

thread_local! {
    static DESCRIBING: RefCell<BTreeMap<&'static str, Describing>> = const { RefCell::new(BTreeMap::new()) };
}

/// Uses text as a configuration file; each zero is followed by an assignment as after `--set`.
pub fn check(data: &[u8]) {
    crate::panics::unwind();
    let mut parts = data.split(|byte| *byte == 0);
    let folder = folder().join("configuration");
    let _ = std::fs::create_dir(&folder);
    let path = folder.join("front-lower.toml");
    std::fs::write(&path, parts.next().unwrap_or_default()).unwrap();
    let mut settings = match Settings::from_toml(&path) {
        Ok(settings) => settings,
        Err(error) => return judge(&error),
    };
    settings.name_after(&path);
    for assignment in parts {
        let Ok(assignment) = std::str::from_utf8(assignment) else { return };
        if let Err(error) = settings.set(assignment) {
            return judge(&error);
        }
    }
    let named = settings.component().map(|(name, _)| name);
    let same = |name: &str, other: &str| name.replace('-', "").eq_ignore_ascii_case(&other.replace('-', ""));
    let component = match &named {
        None => &COMPONENTS[0],
        Some(name) => match COMPONENTS.iter().find(|component| same(component.name, name)) {
            Some(component) => component,
            None => return,
        },
    };
    DESCRIBING.with_borrow_mut(|all| {
        let describing = all.entry(component.name).or_insert_with(|| component.describing());
        match settings.resolve(describing) {
            Ok(description) => accepted(component, describing, description),
            Err(error) => judge(&error),
        }
    });
}

/// Checks that each problem has a location.
fn judge(error: &Error) {
    let message = error.to_string();
    assert!(!message.trim().is_empty());
    if let Error::Settings(problems) = error {
        assert!(!problems.is_empty());
        for problem in problems {
            assert!(problem.contains("front-lower.toml") || problem.contains("--set"), "without a location: {problem}");
        }
    }
}

/// Checks that the configuration describes the same FMU again, and that the library makes an instance of it that
/// initialises.
fn accepted(component: &Component, describing: &Describing, description: Description) {
    use fmu_builder::Describe;
    assert!(!description.name.is_empty() && !description.guid.is_empty());
    let resources = folder().join("configuration").join("resources");
    let _ = std::fs::remove_dir_all(&resources);
    std::fs::create_dir(&resources).unwrap();
    std::fs::write(resources.join(fmu_runtime::CONFIGURATION), &description.configuration).unwrap();
    for (name, content) in &description.resources {
        std::fs::write(resources.join(name), content).unwrap();
    }
    let folder = resources.to_str();
    let request =
        DeclarationRequest { configuration: &description.configuration, resources: folder, ..Default::default() };
    let again = describing.describe(request).unwrap();
    assert_eq!((&again.guid, &again.configuration), (&description.guid, &description.configuration));
    assert_eq!(again.variables, description.variables);
    let prepared = Prepared {
        model: component.model,
        location: format!("file://{}", resources.display()),
        apis: component.apis(),
        variables: Default::default(),
        description,
        panics: true,
    };
    // The instance is freed before the function ends.
    // SAFETY: the instance does not outlive it.
    let lasting: &'static Prepared = unsafe { &*std::ptr::from_ref(&prepared) };
    for kind in Kind::all() {
        let instance = Instance::new(lasting, kind, true);
        instance.enter_initialization_mode(Experiment::ORDINARY);
        instance.exit_initialization_mode();
        for message in instance.messages() {
            assert!(
                !message.text.contains("internal error") || message.text.contains("trouble is panic"),
                "{message:?}"
            );
        }
    }
}
