//! Springs with dampers that touch only beyond a gap.

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{N, N_M, N_PER_M, NM_PER_RAD, NMS_PER_RAD, NS_PER_M};
use fmu_runtime::{Connector, Event, ModelError, Scalar, Structure, group};
use mechanics::constant;
use ports::HeatPort;

use crate::part::{
    AnyPart, Compliance, Compliant, EventPoint, Events, Kinematics, Loads, Part, PartType, Properties, Solution, Typed,
};
use crate::parts::compliant::{Relative, between, relative};
use crate::parts::domain::Domain;
use crate::parts::signals::margin;

/// A backlash in rad below which there is none.
const MIN_BACKLASH: f64 = 1e-10;

pub(super) fn types() -> impl Iterator<Item = Box<dyn AnyPart>> {
    Kind::ALL.into_iter().map(|kind| {
        let (type_name, text) = kind.names();
        let properties = Properties { type_name, text, ..Properties::of::<ContactType>() };
        let structure = ContactStructure { kind, useHeatPort: false };
        Box::new(Typed::<ContactType>::of_family(structure, properties)) as Box<dyn AnyPart>
    })
}

/// The contacts, with their rows in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Backlash whose torque is continuous.
    #[default]
    ElastoBacklash,
    /// Backlash whose torque jumps at contact.
    ElastoBacklash2,
    /// A gap between rods.
    ElastoGap,
}

impl Kind {
    const ALL: [Self; 3] = [Self::ElastoBacklash, Self::ElastoBacklash2, Self::ElastoGap];

    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::ElastoBacklash => ("ElastoBacklash", "A spring and a damper with backlash between two shafts"),
            Self::ElastoBacklash2 => (
                "ElastoBacklash2",
                "A spring and a damper with backlash between two shafts, whose torque jumps at contact",
            ),
            Self::ElastoGap => ("ElastoGap", "A spring and a damper between two rods that can lift off"),
        }
    }

    const fn domain(self) -> Domain {
        if self.is_gap() { Domain::Translational } else { Domain::Rotational }
    }

    const fn is_gap(self) -> bool {
        matches!(self, Self::ElastoGap)
    }
}

/// The structure of a contact: its type says which one it is.
#[derive(Clone, Copy, Debug, Default)]
#[allow(non_snake_case, reason = "Modelica's names")]
pub struct ContactStructure {
    kind: Kind,
    useHeatPort: bool,
}

impl ContactStructure {
    const fn pick<V: Copy>(&self, rotational: V, translational: V) -> V {
        self.kind.domain().pick(rotational, translational)
    }
}

impl Structure for ContactStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit("useHeatPort", "Adds the heat port", &mut self.useHeatPort);
    }
}

/// The contacts.
pub struct ContactType;

impl PartType for ContactType {
    const NAME: &'static str = "Contact";
    const TEXT: &'static str = "A spring and a damper that touch beyond a gap";
    const COMPLIANT: Option<Compliant> = Some(Compliant::Contact);
    type Structure = ContactStructure;
    type In<T: Scalar> = Contact<T>;

    fn connectors(structure: &ContactStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = structure.kind.domain().flanges();
        connectors.extend(structure.useHeatPort.then_some(("heatPort", Connector::HeatPort_a)));
        connectors
    }

    fn options(structure: &ContactStructure, _: bool) -> ContactStructure {
        *structure
    }
}

group! {
    /// With x = phi_rel - phi_rel0, and p the depth of the contact, p = |x| - b/2, its rate p' and the spring's torque
    /// |tau_c| = c p:
    ///
    /// ```text
    /// ElastoBacklash    |tau| = c p + min(max(d p', -c p), c p)       continuous, never pulls
    /// ElastoBacklash2   |tau| = max(0, c p + d p')                    jumps at contact
    /// ElastoGap         |f| = c p^n + min(max(d p', -c p^n), c p^n),  p = s_rel0 - s_rel
    /// lossPower = (tau - tau_c) w_rel
    /// ```
    ///
    /// Without contact, p <= 0, there is no load. With b <= 1e-10 a backlash is a spring and a damper. Each kink is an event.
    ///
    /// lossPower is what the spring and the damper lose; where tau = 0, that of the library is 0 although the spring relaxes.
    /// Source: ElastoBacklash, ElastoBacklash2 and ElastoGap of Modelica.Mechanics, version 4.
    pub struct Contact<T>(o: ContactStructure) {
        parameter c: T = o.pick(1.0e5, 1.0), "Stiffness", unit = o.pick(NM_PER_RAD, N_PER_M), min = o.pick(1e-60, 0.0);
        parameter d: T = o.pick(0.0, 1.0), "Damping", unit = o.pick(NMS_PER_RAD, NS_PER_M), min = 0.0;
        parameter b: T = 0.0, RAD, "Total backlash", min = 0.0, when = !o.kind.is_gap();
        parameter x_rel0: T = 0.0, "Middle of the backlash", name = o.pick("phi_rel0", "s_rel0"),
            text = o.pick("Relative angle in the middle of the backlash", "Relative position below which there is contact"),
            unit = o.pick(fmu_runtime::unit::RAD, fmu_runtime::unit::M);
        parameter n: T = 1.0, ONE, "Exponent of the depth", min = 1.0, when = o.kind.is_gap();
        group heatPort: HeatPort<T>, "Heat port", when = o.useHeatPort, connector = Connector::HeatPort_a;
        output relative: Relative<T> = o.kind.domain(), "Relative motion", name = "";
        output f: T, "Torque between the flanges", name = o.pick("tau", "f"),
            text = o.pick("Torque between the flanges", "Force between the flanges"), unit = o.pick(N_M, N);
        output contact: bool, "Whether the flanges touch";
        output lossPower: T, W, "Power turned into heat";
        memory side: i32, "-1 or 1 in contact, by the sign of the torque; 0 without contact";
        memory damping: i32, "-1 where the damper takes all that the spring gives, 1 where it adds as much, otherwise 0";
    }
}

impl<T: Scalar> Contact<T> {
    /// True if the contact never ends.
    fn is_lasting(&self, kind: Kind) -> bool {
        !kind.is_gap() && self.b.value() <= MIN_BACKLASH
    }

    /// The depths of the contacts on the side of a negative and of a positive load; the latter is the one of a backlash.
    fn depths(&self, kind: Kind, x_rel: T) -> [T; 2] {
        let x = x_rel - self.x_rel0;
        let half = self.b * constant::<T>(0.5);
        if kind.is_gap() { [-x, -T::one()] } else { [-x - half, x - half] }
    }

    /// Depth and rate of the contact, the spring's load and the damper's, both positive where they push the flanges apart.
    fn loads_in_contact(&self, kind: Kind, [x_rel, v_rel]: [T; 2]) -> [T; 2] {
        let [low, high] = self.depths(kind, x_rel);
        let (depth, rate) = if self.side < 0 { (low, -v_rel) } else { (high, v_rel) };
        let spring = if kind.is_gap() { power(depth, self.n) } else { depth };
        [self.c * spring, self.d * rate]
    }

    /// Returns the contact on the branch that holds at a relative motion.
    fn on_branch(&self, kind: Kind, motion: [T; 2]) -> Self {
        let mut there = Self { side: 0, damping: 0, ..self.clone() };
        if self.is_lasting(kind) {
            return there;
        }
        let [low, high] = self.depths(kind, motion[0]).map(|depth| depth.value() > 0.0);
        there.side = i32::from(high) - i32::from(low);
        if there.side != 0 {
            let [spring, damper] = there.loads_in_contact(kind, motion).map(|one| one.value());
            let pushes = i32::from(kind != Kind::ElastoBacklash2 && damper > spring);
            there.damping = if damper < -spring { -1 } else { pushes };
        }
        there
    }

    /// The spring's load and the whole one.
    fn loads_of(&self, kind: Kind, motion: [T; 2]) -> [T; 2] {
        if self.is_lasting(kind) {
            let spring = self.c * (motion[0] - self.x_rel0);
            return [spring, spring + self.d * motion[1]];
        }
        if self.side == 0 {
            return [T::zero(); 2];
        }
        let [spring, damper] = self.loads_in_contact(kind, motion);
        let all = match self.damping {
            ..0 => T::zero(),
            0 => spring + damper,
            _ => spring + spring,
        };
        [spring, all].map(|one| if self.side < 0 { -one } else { one })
    }
}

/// Slope of [`power`] over x, and the slope of that.
fn power_slopes<T: Scalar>(x: T, n: T) -> [T; 2] {
    let rest = n - T::one();
    if rest.value() == 0.0 {
        return [T::one(), T::zero()];
    }
    if x.value() == 0.0 {
        return [T::zero(); 2];
    }
    let slope = n * (rest * x.abs().ln()).exp();
    [slope, rest * slope / x]
}

/// x^n of a positive x; with the same sign of a negative one, which only a solver tries.
fn power<T: Scalar>(x: T, n: T) -> T {
    let rest = n - T::one();
    if x.value() == 0.0 {
        return if rest.value() > 0.0 { T::zero() } else { x };
    }
    x * (rest * x.abs().ln()).exp()
}

crate::capabilities!(Contact: Loads + Events);

impl<T: Scalar> Part<T> for Contact<T> {
    type Structure = ContactStructure;

    fn set_outputs(&mut self, structure: &ContactStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.relative = Relative::of(motion);
        let [spring, all] = self.loads_of(structure.kind, relative(motion));
        self.f = all;
        self.contact = self.side != 0 || self.is_lasting(structure.kind);
        self.lossPower = (all - spring) * self.relative.v;
        self.heatPort.Q_flow = -self.lossPower;
    }
}

impl<T: Scalar> Loads<T> for Contact<T> {
    fn loads(&self, structure: &ContactStructure, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        let [_, all] = self.loads_of(structure.kind, relative(motion));
        between(all, add);
    }

    fn compliance(&self, structure: &ContactStructure, relative: [T; 2], at_event: bool) -> Compliance<T> {
        let kind = structure.kind;
        if self.is_lasting(kind) {
            let [_, load] = self.loads_of(kind, relative);
            return Compliance { load, stiffness: self.c, damping: self.d, ..Compliance::none() };
        }
        let there = if at_event { self.on_branch(kind, relative) } else { self.clone() };
        let [_, load] = there.loads_of(kind, relative);
        if there.side == 0 || there.damping < 0 {
            return Compliance { load, is_straight: !at_event, ..Compliance::none() };
        }
        let [depth, _] = there.depths(kind, relative[0]);
        let [slope, bend] = if kind.is_gap() { power_slopes(depth, self.n) } else { [T::one(), T::zero()] };
        let often = constant::<T>(f64::from(1 + there.damping));
        // The load of a gap grows with s_rel, and falls with the depth.
        let bend = if there.side < 0 { -bend } else { bend };
        Compliance {
            load,
            stiffness: often * self.c * slope,
            damping: if there.damping == 0 { self.d } else { T::zero() },
            bend: often * self.c * bend,
            is_straight: !(at_event || kind.is_gap() && self.n.value() != 1.0),
        }
    }
}

impl<T: Scalar> Events<T> for Contact<T> {
    fn indicator_count(_: &ContactStructure) -> usize {
        4
    }

    fn indicators(&self, structure: &ContactStructure, at: &EventPoint<'_, T>, indicators: &mut [T]) {
        indicators.fill(T::one());
        if self.is_lasting(structure.kind) {
            return;
        }
        let motion = relative(&at.motion);
        let depths = self.depths(structure.kind, motion[0]);
        for ((indicator, depth), side) in indicators.iter_mut().zip(depths).zip([-1, 1]) {
            let margin = margin(motion[0], self.x_rel0);
            *indicator = if self.side == side { depth + margin } else { margin - depth };
        }
        if self.side != 0 {
            let [spring, damper] = self.loads_in_contact(structure.kind, motion);
            let margin = margin(spring, damper);
            let [pulls, pushes] = [spring + damper, spring - damper];
            indicators[2] = if self.damping < 0 { margin - pulls } else { pulls + margin };
            // The torque of a backlash may jump.
            if structure.kind != Kind::ElastoBacklash2 {
                indicators[3] = if self.damping > 0 { margin - pushes } else { pushes + margin };
            }
        }
    }

    fn event(&mut self, structure: &ContactStructure, at: &EventPoint<'_, T>, _: &mut Event) -> Result<(), ModelError> {
        *self = self.on_branch(structure.kind, relative(&at.motion));
        Ok(())
    }
}
