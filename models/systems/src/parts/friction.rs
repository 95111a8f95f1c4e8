//! Clutches, brakes and bearing friction: the friction of the components Clutch and Brake, without inertias of its own.

use std::marker::PhantomData;

use fmu_runtime::{
    Attributes, Connector, ElementVisitor, ModelError, Reader, Scalar, Size, Source, Variable, Writer, structure,
};
use mechanics::drivetrain::Preference;
use mechanics::friction::Mode;
use ports::friction::{Extrapolation, Friction, FrictionOptions, FrictionStructure};

use super::domain::Domain;
use super::drive::SupportStructure;
use crate::part::{
    ElementLaw, FrictionElement, FrictionEvent, FrictionPair, FrictionSolution, Kinematics, Part, PartType, Solution,
};

/// The common interface of the options of clutch, brake and bearing friction.
pub trait FrictionPartStructure: fmu_runtime::Structure + Clone {
    /// Domain of the flanges.
    const DOMAIN: Domain = Domain::Rotational;
    /// Name of the type of part.
    const NAME: &'static str;
    /// Description in one line.
    const TEXT: &'static str;
    /// Returns the options of the friction.
    fn friction(&self) -> FrictionOptions;
    /// True inside `Some` if the housing has a flange; none if the housing is not one of the two sides.
    fn housing(&self) -> Option<bool>;
    /// Returns the positions of the two sides. The housing, or what stands still in its place, is behind the two
    /// flanges.
    fn between(&self) -> [usize; 2] {
        if self.housing().is_some() { [2, 0] } else { [0, 1] }
    }
}

structure! {
    /// The option of a law that depends on the temperature.
    pub struct TemperatureStructure {
        useTemperature: bool = false, "Adds the heat port, on whose temperature the law depends: its table has temperatures in K before the speeds";
    }
}

structure! {
    /// The option of a law that depends on the load.
    pub struct LoadStructure {
        useLoad: bool = false, "Adds the input load, on which the law depends: its table has loads in N before the speeds";
    }
}

structure! {
    /// The options of a clutch.
    pub struct ClutchStructure {
        friction: FrictionStructure;
        temperature: TemperatureStructure;
    }
}

structure! {
    /// The options of a brake.
    pub struct BrakeStructure {
        support: SupportStructure;
        clutch: ClutchStructure;
    }
}

structure! {
    /// The options of a bearing.
    pub struct BearingStructure {
        support: SupportStructure;
        useHeatPort: bool = false, "Adds the heat port";
        extrapolation: Extrapolation = Extrapolation::linear, "How tau_pos continues beyond its rows";
        showLaw: bool = false, "Adds outputs of the friction law: sa, startForward and startBackward";
        showEventTime: bool = false, "Adds the output eventTime, the time of the last change of mode";
        temperature: TemperatureStructure;
        load: LoadStructure;
    }
}

impl FrictionPartStructure for ClutchStructure {
    const NAME: &'static str = "Clutch";
    const TEXT: &'static str = "Coulomb friction between two shafts";

    fn friction(&self) -> FrictionOptions {
        self.temperature.apply(FrictionOptions { is_part: true, ..self.friction.options() })
    }

    fn housing(&self) -> Option<bool> {
        None
    }
}

impl TemperatureStructure {
    /// Returns the options with this one.
    fn apply(&self, options: FrictionOptions) -> FrictionOptions {
        let by_temperature = self.useTemperature;
        FrictionOptions { by_temperature, heat_port: options.heat_port || by_temperature, ..options }
    }
}

/// Returns the options of a part that has no others; the flags are `useHeatPort`, `showLaw` and `showEventTime`.
fn options([heat_port, law, event_time]: [bool; 3], extrapolation: Extrapolation) -> FrictionOptions {
    FrictionOptions {
        heat_port,
        phi_nominal: 1.0,
        extrapolation,
        law,
        event_time,
        is_part: true,
        ..FrictionOptions::default()
    }
}

impl FrictionPartStructure for BrakeStructure {
    const NAME: &'static str = "Brake";
    const TEXT: &'static str = "Coulomb friction between a shaft and the housing";

    fn friction(&self) -> FrictionOptions {
        FrictionPartStructure::friction(&self.clutch)
    }

    fn housing(&self) -> Option<bool> {
        Some(self.support.useSupport)
    }
}

impl FrictionPartStructure for BearingStructure {
    const NAME: &'static str = "BearingFriction";
    const TEXT: &'static str = "Coulomb friction of a bearing, a torque over the speed";

    fn friction(&self) -> FrictionOptions {
        self.temperature.apply(FrictionOptions {
            is_bearing: true,
            by_load: self.load.useLoad,
            ..options([self.useHeatPort, self.showLaw, self.showEventTime], self.extrapolation)
        })
    }

    fn housing(&self) -> Option<bool> {
        Some(self.support.useSupport)
    }
}

structure! {
    /// The options of a brake on a rod.
    pub struct RodBrakeStructure {
        support: SupportStructure;
        useHeatPort: bool = false, "Adds the heat port";
        extrapolation: Extrapolation = Extrapolation::linear, "How mue_pos continues beyond its rows";
        showLaw: bool = false, "Adds outputs of the friction law: fn, mue, sa, startForward and startBackward";
        showEventTime: bool = false, "Adds the output eventTime, the time of the last change of mode";
        temperature: TemperatureStructure;
    }
}

structure! {
    /// The options of friction in a guide.
    pub struct SupportFrictionStructure {
        support: SupportStructure;
        useHeatPort: bool = false, "Adds the heat port";
        extrapolation: Extrapolation = Extrapolation::linear, "How f_pos continues beyond its rows";
        showLaw: bool = false, "Adds outputs of the friction law: sa, startForward and startBackward";
        showEventTime: bool = false, "Adds the output eventTime, the time of the last change of mode";
        temperature: TemperatureStructure;
        load: LoadStructure;
    }
}

impl FrictionPartStructure for RodBrakeStructure {
    const DOMAIN: Domain = Domain::Translational;
    const NAME: &'static str = "Translational.Brake";
    const TEXT: &'static str = "Coulomb friction between a rod and the housing";

    fn friction(&self) -> FrictionOptions {
        self.temperature.apply(FrictionOptions {
            is_translational: true,
            ..options([self.useHeatPort, self.showLaw, self.showEventTime], self.extrapolation)
        })
    }

    fn housing(&self) -> Option<bool> {
        Some(self.support.useSupport)
    }
}

impl FrictionPartStructure for SupportFrictionStructure {
    const DOMAIN: Domain = Domain::Translational;
    const NAME: &'static str = "SupportFriction";
    const TEXT: &'static str = "Coulomb friction of a guide, a force over the velocity";

    fn friction(&self) -> FrictionOptions {
        self.temperature.apply(FrictionOptions {
            is_translational: true,
            is_bearing: true,
            by_load: self.load.useLoad,
            ..options([self.useHeatPort, self.showLaw, self.showEventTime], self.extrapolation)
        })
    }

    fn housing(&self) -> Option<bool> {
        Some(self.support.useSupport)
    }
}

/// A clutch, a brake or a bearing, of a shaft or of a rod.
pub struct FrictionPartType<S>(PhantomData<S>);

impl<S: FrictionPartStructure + Send + Sync + 'static> PartType for FrictionPartType<S> {
    const NAME: &'static str = S::NAME;
    const TEXT: &'static str = S::TEXT;
    type Structure = S;
    type In<T: Scalar> = FrictionPart<T, S>;

    fn connectors(structure: &S) -> Vec<(&'static str, Connector)> {
        let mut connectors = S::DOMAIN.flanges_and_support(structure.housing() == Some(true));
        connectors.extend(structure.friction().heat_port.then_some(("heatPort", Connector::HeatPort_a)));
        connectors
    }

    fn options(structure: &S, _: bool) -> FrictionOptions {
        structure.friction()
    }

    fn uses_temperature(structure: &S) -> bool {
        structure.friction().by_temperature
    }

    fn own(structure: &S) -> &'static [Preference] {
        if structure.housing() == Some(false) { &[Preference::Given] } else { &[] }
    }
}

/// A part with the rows of friction and the options `S`.
#[derive(Clone)]
pub struct FrictionPart<T, S> {
    friction: Friction<T>,
    of: PhantomData<S>,
}

impl<T: Scalar, S: FrictionPartStructure> Variable<T> for FrictionPart<T, S> {
    type Start = FrictionOptions;
    const SIZE: Size = <Friction<T> as Variable<T>>::SIZE;

    fn declare(attributes: &Attributes<'_>, start: Option<FrictionOptions>, visitor: &mut dyn ElementVisitor) {
        <Friction<T> as Variable<T>>::declare(attributes, start, visitor);
    }

    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self { friction: Friction::read(reader), of: PhantomData }
    }

    fn write(&self, writer: &mut Writer<'_, T>) {
        self.friction.write(writer);
    }
}

crate::capabilities!([S: FrictionPartStructure] FrictionPart<T, S>: FrictionElement);

impl<T: Scalar, S: FrictionPartStructure> Part<T> for FrictionPart<T, S> {
    type Structure = S;

    fn relations(&self, structure: &S) -> Vec<mechanics::drivetrain::Relation<T>> {
        if structure.housing().is_some() { vec![mechanics::drivetrain::Relation::equal(0, 1)] } else { Vec::new() }
    }

    fn set_outputs(&mut self, structure: &S, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        let Some(FrictionSolution { coefficient, tau, sa, time_derivative }) = solution.friction else { return };
        let [first, second] = structure.between();
        let relative = |of: &dyn Fn(usize) -> T| of(second) - of(first);
        let branch = self.friction.branch();
        let is_stuck = branch.mode == Mode::Stuck;
        let w_rel = if is_stuck { T::zero() } else { relative(&|i| motion.v(i)) };
        let a_rel = if is_stuck { T::zero() } else { relative(&|i| motion.a(i)) };
        let motion = [relative(&|i| motion.x(i)), w_rel, a_rel];
        self.friction.set_outputs(
            structure.friction(),
            motion,
            [tau, tau * w_rel, sa],
            branch,
            coefficient,
            time_derivative,
        );
    }
}

impl<T: Scalar, S: FrictionPartStructure> FrictionElement<T> for FrictionPart<T, S> {
    fn friction_pair(&self, structure: &S) -> Option<FrictionPair<T>> {
        let friction = &self.friction;
        let options = structure.friction();
        let n = if options.is_bearing {
            T::one()
        } else {
            friction.cgeo(options) * friction.fn_max * friction.f_normalized
        };
        let pair = FrictionPair::new(structure.between(), friction.parameters(&|x| x), n, friction.branch());
        let condition = if options.by_load { friction.f_normalized } else { friction.heatPort.T };
        Some(FrictionPair { condition, ..pair })
    }

    fn law(&self, source: &Source<'_, S>) -> Result<ElementLaw, ModelError> {
        law(&self.friction, source.structure.friction(), &source.with(&()))
    }

    fn set_branch(&mut self, found: &FrictionEvent<T>) {
        set_branch(&mut self.friction, found);
    }
}

/// Returns the law of a part with the rows of friction.
pub fn law<T: Scalar>(
    friction: &Friction<T>,
    options: FrictionOptions,
    source: &Source<'_, ()>,
) -> Result<ElementLaw, ModelError> {
    if options.by_temperature && options.by_load {
        let table = options.table();
        return Err(ModelError::invalid(format!(
            "{table} has one more column, of temperatures or of loads, but useTemperature and useLoad are both true: leave one of \
             them out"
        )));
    }
    if options.by_temperature || options.by_load {
        friction.prepare_by_temperature(options, source).map(ElementLaw::by_temperature)
    } else {
        friction.prepare(options, source).map(ElementLaw::sliding)
    }
}

/// Stores the branch that an event has found.
pub fn set_branch<T: Scalar>(friction: &mut Friction<T>, found: &FrictionEvent<T>) {
    if friction.mode != found.branch.mode.number() {
        friction.eventTime = found.time;
    }
    friction.mode = found.branch.mode.number();
    friction.memory.breaks = found.branch.breaks;
}
