//! The enumerations of a variable as attributes of `modelDescription.xml` write them.

use crate::description::{Causality, Initial, Variability};

macro_rules! attribute_values {
    ($($Type:ident { $($item:ident $text:literal,)* })*) => {$(
        impl $Type {
            /// Returns the value in XML.
            pub(crate) fn as_str(self) -> &'static str {
                match self { $(Self::$item => $text,)* }
            }

            /// Reads the value in XML.
            pub(crate) fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$item),)* _ => None }
            }
        }
    )*};
}

attribute_values! {
    Causality {
        StructuralParameter "structuralParameter",
        Parameter "parameter",
        CalculatedParameter "calculatedParameter",
        Input "input",
        Output "output",
        Local "local",
        Independent "independent",
    }
    Variability {
        Constant "constant",
        Fixed "fixed",
        Tunable "tunable",
        Discrete "discrete",
        Continuous "continuous",
    }
    Initial {
        Exact "exact",
        Approx "approx",
        Calculated "calculated",
    }
}
