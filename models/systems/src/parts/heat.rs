//! Parts that store heat, let it through, or give temperatures and flows.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Connector, InitialValue, Scalar, Structure, group};

use crate::part::{AnyPart, Part, PartType, Properties, Thermal, Typed, kinds};

pub(super) fn types() -> impl Iterator<Item = Box<dyn AnyPart>> {
    Kind::ALL.iter().map(|&kind| {
        let (type_name, text) = kind.names();
        let properties = Properties { type_name, text, thermal: Some(kind.thermal()), ..Properties::of::<HeatType>() };
        Box::new(Typed::<HeatType>::of_family(HeatStructure { kind }, properties)) as Box<dyn AnyPart>
    })
}

kinds! {
    /// The thermal parts, with their rows in common.
    pub enum Kind {
        HeatCapacitor = "HeatCapacitor", "Stores heat";
        ThermalConductor = "ThermalConductor", "Lets heat through, by its conductance";
        ThermalResistor = "ThermalResistor", "Lets heat through, by its resistance";
        Convection = "Convection", "Lets heat through to a fluid, by a conductance from a signal";
        FixedTemperature = "FixedTemperature", "A constant temperature";
        PrescribedTemperature = "PrescribedTemperature", "A temperature from a signal";
        FixedHeatFlow = "FixedHeatFlow", "A constant heat flow";
        PrescribedHeatFlow = "PrescribedHeatFlow", "A heat flow from a signal";
    }
}

impl Kind {
    const fn thermal(self) -> Thermal {
        match self {
            Self::HeatCapacitor => Thermal::Capacitor,
            Self::ThermalConductor | Self::Convection => Thermal::Conductor,
            Self::ThermalResistor => Thermal::Resistor,
            Self::FixedTemperature | Self::PrescribedTemperature => Thermal::Temperature,
            Self::FixedHeatFlow | Self::PrescribedHeatFlow => Thermal::Flow,
        }
    }

    const fn is_link(self) -> bool {
        matches!(self.thermal(), Thermal::Conductor | Thermal::Resistor)
    }

    const fn is_flow(self) -> bool {
        matches!(self.thermal(), Thermal::Flow)
    }
}

/// The structure of a thermal part: its type says which one it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeatStructure {
    kind: Kind,
}

impl Structure for HeatStructure {
    fn visit(&mut self, _: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {}
}

/// Options of the rows of a thermal part.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeatRows {
    kind: Kind,
    /// True if the temperature is a state.
    has_state: bool,
}

impl HeatRows {
    const fn is(self, kind: Kind) -> bool {
        self.kind as usize == kind as usize
    }
}

/// The thermal parts.
pub struct HeatType;

impl PartType for HeatType {
    const NAME: &'static str = "HeatPart";
    const TEXT: &'static str = "A part that exchanges heat";
    type Structure = HeatStructure;
    type In<T: Scalar> = HeatPart<T>;

    fn connectors(structure: &HeatStructure) -> Vec<(&'static str, Connector)> {
        let names: &[_] = match structure.kind {
            Kind::HeatCapacitor => return vec![("port", Connector::HeatPort_a)],
            Kind::Convection => &["solid", "fluid"],
            kind if kind.is_link() => &["port_a", "port_b"],
            _ => return vec![("port", Connector::HeatPort_b)],
        };
        names.iter().copied().zip([Connector::HeatPort_a, Connector::HeatPort_b]).collect()
    }

    fn options(structure: &HeatStructure, has_states: bool) -> HeatRows {
        HeatRows { kind: structure.kind, has_state: has_states && structure.kind == Kind::HeatCapacitor }
    }
}

group! {
    /// A heat port of a thermal part.
    pub struct ThermalPort<T>(has_temperature: bool) {
        T: T, K, "Temperature", display = "degC", when = has_temperature;
        Q_flow: T, W, "Heat flow into the part";
    }
}

group! {
    /// ```text
    /// HeatCapacitor        C der(T) = port.Q_flow
    /// ThermalConductor     Q_flow = G dT,   dT = port_a.T - port_b.T
    /// ThermalResistor      Q_flow = dT / R
    /// Convection           Q_flow = Gc (solid.T - fluid.T)
    /// FixedTemperature, PrescribedTemperature   port.T = T
    /// FixedHeatFlow, PrescribedHeatFlow         port.Q_flow = -Q_flow (1 + alpha (port.T - T_ref))
    /// ```
    ///
    /// Q_flow of a port is the flow into the part. Temperatures are absolute, in kelvins. Source: Modelica.Thermal.HeatTransfer.
    pub struct HeatPart<T>(o: HeatRows) {
        parameter C: T = 1.0, J_PER_K, "Heat capacity", min = 1e-12, when = o.is(Kind::HeatCapacitor);
        parameter G: T = 1.0, W_PER_K, "Thermal conductance", min = 0.0, when = o.is(Kind::ThermalConductor);
        parameter R: T = 1.0, K_PER_W, "Thermal resistance", min = 1e-12, when = o.is(Kind::ThermalResistor);
        parameter T_fixed: T = 293.15, K, "Temperature of the port", name = "T", min = 0.0, display = "degC",
            when = o.is(Kind::FixedTemperature);
        parameter Q_fixed: T = 1.0, W, "Heat flow at T_ref out of the port", name = "Q_flow", when = o.is(Kind::FixedHeatFlow);
        parameter T_ref: T = 293.15, K, "Reference temperature", min = 0.0, display = "degC", when = o.kind.is_flow();
        parameter alpha: T = 0.0, PER_K, "Temperature coefficient of the heat flow", when = o.kind.is_flow();
        input Gc: T = 0.0, W_PER_K, "Thermal conductance of the convection", min = 0.0, when = o.is(Kind::Convection);
        input T_given: T = 293.15, K, "Temperature of the port", name = "T", min = 0.0, display = "degC",
            when = o.is(Kind::PrescribedTemperature);
        input Q_given: T = 0.0, W, "Heat flow at T_ref out of the port", name = "Q_flow",
            when = o.is(Kind::PrescribedHeatFlow);
        output T: T = 293.15, K, "Temperature", display = "degC", der = if o.has_state { "der_T" } else { "" },
            initial = if o.has_state { InitialValue::enforce } else { InitialValue::ignore },
            when = o.is(Kind::HeatCapacitor);
        output der_T: T, K_PER_S, "Derivative of the temperature", when = o.is(Kind::HeatCapacitor);
        output dT: T, K, "Temperature at the first port minus that at the second one", quantity = "TemperatureDifference",
            display = "", when = o.kind.is_link();
        output through: T, W, "Heat flow from the first port to the second one", name = "Q_flow", when = o.kind.is_link();
        output port: ThermalPort<T> = !o.is(Kind::HeatCapacitor), "Heat port", when = !o.kind.is_link();
    }
}

crate::capabilities!(HeatPart);

/// All outputs follow from the heat flows of all parts together.
impl<T: Scalar> Part<T> for HeatPart<T> {
    type Structure = HeatStructure;
}
