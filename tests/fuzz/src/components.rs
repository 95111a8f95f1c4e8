//! Components that are linked into the targets, so that the coverage includes their code.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::variables::Variables;
use c_interface::Api;
use fmu_builder::description::Description;
use fmu_builder::{Cached, DescribeError, Error, Standard, describe};
use fmu_runtime::configuration::canonical;
use fmu_runtime::linked::{self, Linked};
use fmu_runtime::{CONFIGURATION, ComponentModel, DeclarationRequest, component_model, declaration};

/// A component in one configuration, with a folder of resources.
pub(crate) struct Prepared {
    pub model: fn() -> Box<dyn ComponentModel>,
    pub description: Description,
    /// Variables in FMI 2.0 and in FMI 3.0.
    pub variables: [Variables; 2],
    pub location: String,
    /// Functions of FMI 2.0 and of FMI 3.0.
    pub apis: [Api; 2],
    /// True if it has parameters that make its equations panic.
    pub panics: bool,
}

impl Prepared {
    pub fn api(&self, standard: Standard) -> &Api {
        &self.apis[usize::from(standard == Standard::Fmi3)]
    }
}

/// A component by its name in a configuration.
pub(crate) struct Component {
    pub name: &'static str,
    pub model: fn() -> Box<dyn ComponentModel>,
    function: fn(&str) -> Option<*const ()>,
}

/// Makes the components from their names and types.
macro_rules! components {
    ($($name:literal $Component:ty,)*) => {
        pub(crate) const COMPONENTS: &[Component] = &[$(Component {
            name: $name,
            model: component_model::<$Component>,
            function: {
                struct Fmu;
                impl Linked for Fmu {
                    fn model() -> Box<dyn ComponentModel> {
                        component_model::<$Component>()
                    }
                }
                linked::function::<Fmu>
            },
        }),*];
    };
}

components! {
    "sample" sample::Sample<f64>,
    "bushing" bushing::Bushing<f64>,
    "clutch" clutch::Clutch<f64>,
    "joint-ups" joint_ups::JointUPS<f64>,
}

const VARYING: &str = "structure orientation quaternion\nstructure nonlinear_TS true\nstructure nonlinear_RS true\n\
    structure sensor_R true\ntable TS_table 2 4 0000000000000000 412e848000000000 412e848000000000 412e848000000000 \
    3fa999999999999a 413e848000000000 413e848000000000 413e848000000000\n";
const GIVEN_MOTION: &str = "structure flange_a motion_in\nstructure flange_b motion_in\nstructure useHeatPort true\n";

/// Configurations by the number of their component: the default of each, then others.
const CONFIGURED: [(usize, &str); 6] = [(0, ""), (1, ""), (2, ""), (3, ""), (1, VARYING), (2, GIVEN_MOTION)];

/// Turns configurations of a component into descriptions; those of structures are cached.
pub(crate) type Describing = Cached<Box<dyn Fn(DeclarationRequest<'_>) -> Result<Description, Error> + Send + Sync>>;

impl Component {
    /// Returns the functions of FMI 2.0 and of FMI 3.0.
    pub fn apis(&self) -> [Api; 2] {
        // SAFETY: the functions are those of the runtime.
        [c_interface::Standard::Fmi2, c_interface::Standard::Fmi3]
            .map(|standard| unsafe { Api::linked(standard, self.function) }.expect("all functions"))
    }

    pub fn describing(&self) -> Describing {
        let model = self.model;
        Cached::new(Box::new(move |request: DeclarationRequest<'_>| {
            // The C interface catches panics, as of the sample that is told to panic.
            let declare = |request: DeclarationRequest<'_>| {
                let declared = catch_unwind(AssertUnwindSafe(|| declaration(model().as_mut(), request)));
                declared.unwrap_or_else(|panic| {
                    if is_told(&*panic) { Err("trouble is panic".to_owned()) } else { resume_unwind(panic) }
                })
            };
            describe(declare, request).map_err(|error| match error {
                DescribeError::Refused(reason) => Error::Refused(reason),
                DescribeError::Incompatible(reason) => panic!("the builder does not understand the library: {reason}"),
            })
        }))
    }
}

/// Returns true if the sample was told to panic.
pub(crate) fn is_told(payload: &dyn Any) -> bool {
    payload.downcast_ref::<&str>().is_some_and(|text| text.starts_with("trouble is panic"))
}

/// Returns a folder for the files of this process; those of an earlier one with the same number are removed.
pub(crate) fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let path = std::env::temp_dir().join(format!("fuzz-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        // libFuzzer ends the process without unwinding.
        unsafe extern "C" {
            safe fn atexit(function: extern "C" fn()) -> i32;
        }
        extern "C" fn remove() {
            let _ = std::fs::remove_dir_all(folder());
        }
        atexit(remove);
        path
    })
}

/// Returns one of the components in their configurations, or another if there are not so many; prepared once, which
/// takes a while.
pub(crate) fn prepared(number: usize) -> &'static Prepared {
    static PREPARED: [OnceLock<Prepared>; CONFIGURED.len()] = [const { OnceLock::new() }; CONFIGURED.len()];
    let number = number % CONFIGURED.len();
    PREPARED[number].get_or_init(|| prepare(number, CONFIGURED[number]))
}

fn prepare(number: usize, (component, text): (usize, &str)) -> Prepared {
    let component = &COMPONENTS[component];
    let model = component.model;
    let ask = |request: DeclarationRequest<'_>| declaration(model().as_mut(), request);
    let component_model = model();
    let info = component_model.info();
    let packages: Vec<_> = info.all_packages().collect();
    let text = canonical(info.name, &packages, info.name, info.description, text);
    let description = describe(ask, DeclarationRequest::new(&text)).unwrap();
    let resources = folder().join(format!("resources-{number}"));
    std::fs::create_dir(&resources).unwrap();
    std::fs::write(resources.join(CONFIGURATION), &description.configuration).unwrap();
    let location = format!("file://{}", resources.display());
    let variables = [Standard::Fmi2, Standard::Fmi3].map(|standard| Variables::of(&description, standard));
    Prepared { model, description, variables, location, apis: component.apis(), panics: component.name == "sample" }
}
