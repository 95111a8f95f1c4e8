//! The physical connectors of Modelica that groups of variables represent.

use serde::{Deserialize, Serialize};

/// A connector of the Modelica Standard Library.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Connector {
    /// A coordinate system fixed to a component, side a: position and orientation, cut force and cut torque.
    Frame_a,
    /// A coordinate system fixed to a component, side b, which has another icon.
    Frame_b,
    /// A shaft, side a: angle and torque.
    Flange_a,
    /// A shaft, side b, which has another icon.
    Flange_b,
    /// The housing of a shaft: angle and torque.
    Support,
    /// A rod, side a: position and force.
    TranslationalFlange_a,
    /// A rod, side b, which has another icon.
    TranslationalFlange_b,
    /// A heat port, side a: temperature and heat flow.
    HeatPort_a,
    /// A heat port, side b, which has another icon.
    HeatPort_b,
}

impl Connector {
    /// Returns Modelica's name of the connector's class.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Frame_a => "Modelica.Mechanics.MultiBody.Interfaces.Frame_a",
            Self::Frame_b => "Modelica.Mechanics.MultiBody.Interfaces.Frame_b",
            Self::Flange_a => "Modelica.Mechanics.Rotational.Interfaces.Flange_a",
            Self::Flange_b => "Modelica.Mechanics.Rotational.Interfaces.Flange_b",
            Self::Support => "Modelica.Mechanics.Rotational.Interfaces.Support",
            Self::TranslationalFlange_a => "Modelica.Mechanics.Translational.Interfaces.Flange_a",
            Self::TranslationalFlange_b => "Modelica.Mechanics.Translational.Interfaces.Flange_b",
            Self::HeatPort_a => "Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a",
            Self::HeatPort_b => "Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_b",
        }
    }

    /// Returns the part of Modelica's library that the connector belongs to, such as `Rotational`.
    pub fn domain(self) -> &'static str {
        self.class().split('.').nth(2).unwrap_or_default()
    }

    /// Returns the names of the flow variables, which add up to zero where connectors meet.
    pub const fn flows(self) -> &'static [&'static str] {
        match self {
            Self::Frame_a | Self::Frame_b => &["f", "t"],
            Self::Flange_a | Self::Flange_b | Self::Support => &["tau"],
            Self::TranslationalFlange_a | Self::TranslationalFlange_b => &["f"],
            Self::HeatPort_a | Self::HeatPort_b => &["Q_flow"],
        }
    }
}
