//! The components in this module, by their names.

use c_interface::{Api, Standard};
use fmu_builder::{DeclareFunction, Library};
use fmu_runtime::linked::{self, Linked};
use fmu_runtime::{ComponentModel, component_model};

/// A component in this module.
pub struct Component {
    /// Name of the package.
    pub name: &'static str,
    declare: DeclareFunction,
    function: fn(&str) -> Option<*const ()>,
}

impl Component {
    const fn of<L: Linked>(name: &'static str) -> Self {
        Self { name, declare: linked::declare::<L>, function: linked::function::<L> }
    }

    /// Returns the component as the builder asks it.
    pub fn library(&self) -> Library {
        // SAFETY: the function is of the runtime.
        unsafe { Library::linked(self.name, self.declare) }
    }

    /// Returns the component as an importer calls it.
    pub fn api(&self, standard: Standard) -> anyhow::Result<Api> {
        // SAFETY: the functions are those of the runtime.
        unsafe { Api::linked(standard, self.function) }.map_err(|missing| anyhow::anyhow!("{missing} is missing"))
    }
}

macro_rules! components {
    ($($Name:ident = $name:literal, $model:expr;)*) => {
        $(
            struct $Name;

            impl Linked for $Name {
                fn model() -> Box<dyn ComponentModel> {
                    $model()
                }
            }
        )*

        /// All components, the systems last.
        pub static COMPONENTS: &[Component] = &[$(Component::of::<$Name>($name)),*];
    };
}

components! {
    Brake = "brake", component_model::<brake::Brake<f64>>;
    Bushing = "bushing", component_model::<bushing::Bushing<f64>>;
    Clutch = "clutch", component_model::<clutch::Clutch<f64>>;
    Gripper = "gripper", component_model::<gripper::Gripper<f64>>;
    JointRRP = "joint-rrp", component_model::<joint_rrp::JointRRP<f64>>;
    JointRRR = "joint-rrr", component_model::<joint_rrr::JointRRR<f64>>;
    JointSSP = "joint-ssp", component_model::<joint_ssp::JointSSP<f64>>;
    JointSSR = "joint-ssr", component_model::<joint_ssr::JointSSR<f64>>;
    JointUPS = "joint-ups", component_model::<joint_ups::JointUPS<f64>>;
    JointUSP = "joint-usp", component_model::<joint_usp::JointUSP<f64>>;
    JointUSR = "joint-usr", component_model::<joint_usr::JointUSR<f64>>;
    Systems = "systems", || systems::system(Vec::new());
}
