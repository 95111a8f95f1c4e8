//! An assembly whose frames are set and read as motions and loads.

use std::cell::RefCell;
use std::collections::BTreeMap;

use fmu_tests::api::Status;
use fmu_tests::finished::Instance;
use mechanics::frame::Load;
use mechanics::motion::Motion;
use nalgebra::{Matrix3, Vector3};

pub type V = Vector3<f64>;

/// The assemblies, each with whether it has frame_ia and frame_im.
pub const ASSEMBLIES: [(&str, bool, bool); 7] = [
    ("joint-ups", true, false),
    ("joint-usr", true, true),
    ("joint-usp", true, true),
    ("joint-ssr", false, true),
    ("joint-ssp", false, true),
    ("joint-rrr", true, true),
    ("joint-rrp", true, true),
];

/// An instance of an assembly with orientations as matrices and with accelerations.
pub struct Assembly<'a> {
    pub instance: Instance<'a>,
    references: RefCell<BTreeMap<String, Vec<u32>>>,
}

impl<'a> Assembly<'a> {
    pub fn new(instance: Instance<'a>) -> Self {
        Self { instance, references: RefCell::default() }
    }

    /// Looked up once, since looking up a name takes longer than the call.
    fn references(&self, name: &str) -> Vec<u32> {
        let mut known = self.references.borrow_mut();
        if !known.contains_key(name) {
            known.insert(name.to_owned(), self.instance.references(name));
        }
        known[name].clone()
    }

    pub fn set(&self, name: &str, values: &[f64]) {
        assert_eq!(self.instance.fmi.set_real(&self.references(name), values), Status::Ok, "{name}");
    }

    pub fn get(&self, name: &str) -> Vec<f64> {
        let (status, values) = self.instance.fmi.get_real(&self.references(name));
        assert_eq!(status, Status::Ok, "{name}: {:?}", self.instance.fmi.messages());
        values
    }

    pub fn number(&self, name: &str) -> f64 {
        self.get(name)[0]
    }

    pub fn vector(&self, name: &str) -> V {
        V::from_column_slice(&self.get(name))
    }

    pub fn set_motion(&self, frame: &str, motion: &Motion<f64>) {
        self.set(&format!("{frame}.r_0"), motion.r_0.as_slice());
        self.set(&format!("{frame}.R.T"), motion.T.transpose().as_slice());
        self.set(&format!("{frame}.v_0"), motion.v_0.as_slice());
        self.set(&format!("{frame}.R.w"), motion.w.as_slice());
        self.set(&format!("{frame}.a_0"), motion.a_0.as_slice());
        self.set(&format!("{frame}.z"), motion.z.as_slice());
    }

    pub fn motion(&self, frame: &str) -> Motion<f64> {
        let vector = |name: &str| self.vector(&format!("{frame}.{name}"));
        Motion {
            r_0: vector("r_0"),
            T: Matrix3::from_row_slice(&self.get(&format!("{frame}.R.T"))),
            v_0: vector("v_0"),
            w: vector("R.w"),
            a_0: vector("a_0"),
            z: vector("z"),
        }
    }

    pub fn set_load(&self, frame: &str, load: &Load<f64>) {
        self.set(&format!("{frame}.f"), load.f.as_slice());
        self.set(&format!("{frame}.t"), load.t.as_slice());
    }

    pub fn load(&self, frame: &str) -> Load<f64> {
        Load { f: self.vector(&format!("{frame}.f")), t: self.vector(&format!("{frame}.t")) }
    }
}
