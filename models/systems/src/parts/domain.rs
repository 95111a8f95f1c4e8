//! Rotation and translation: the same equations with other names and units.

use fmu_runtime::Connector;

/// The domain of a part: shafts that turn or rods that slide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Domain {
    /// Shafts: angle `phi`, velocity `w`, torque `tau`.
    #[default]
    Rotational,
    /// Rods: position `s`, velocity `v`, force `f`.
    Translational,
}

impl Domain {
    /// Returns the value for this domain.
    pub const fn pick<V: Copy>(self, rotational: V, translational: V) -> V {
        match self {
            Self::Rotational => rotational,
            Self::Translational => translational,
        }
    }

    /// Returns the left flange.
    pub const fn flange_a(self) -> Connector {
        self.pick(Connector::Flange_a, Connector::TranslationalFlange_a)
    }

    /// Returns the right flange.
    pub const fn flange_b(self) -> Connector {
        self.pick(Connector::Flange_b, Connector::TranslationalFlange_b)
    }

    /// Returns the flange of the housing.
    pub const fn support(self) -> Connector {
        self.pick(Connector::Support, Connector::TranslationalFlange_a)
    }

    /// Returns both flanges of a part between two shafts or rods.
    pub fn flanges(self) -> Vec<(&'static str, Connector)> {
        vec![("flange_a", self.flange_a()), ("flange_b", self.flange_b())]
    }

    /// Returns both flanges of a part between two shafts or rods, and that of its housing.
    pub fn flanges_and_support(self, use_support: bool) -> Vec<(&'static str, Connector)> {
        self.with_support(self.flanges(), use_support)
    }

    /// Returns the flange of a part at one shaft or rod, and that of its housing.
    pub fn flange_and_support(self, use_support: bool) -> Vec<(&'static str, Connector)> {
        self.with_support(vec![("flange", self.flange_b())], use_support)
    }

    fn with_support(
        self,
        mut connectors: Vec<(&'static str, Connector)>,
        use_support: bool,
    ) -> Vec<(&'static str, Connector)> {
        connectors.extend(use_support.then(|| ("support", self.support())));
        connectors
    }
}

/// A domain as a type, for types of parts that exist in both.
pub trait InDomain: Send + Sync + 'static {
    /// The domain as a value.
    const DOMAIN: Domain;
}

/// [`Domain::Rotational`].
pub struct Rotational;

/// [`Domain::Translational`].
pub struct Translational;

impl InDomain for Rotational {
    const DOMAIN: Domain = Domain::Rotational;
}

impl InDomain for Translational {
    const DOMAIN: Domain = Domain::Translational;
}
