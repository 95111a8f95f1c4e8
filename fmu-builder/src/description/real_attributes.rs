//! The attributes of Reals and Integers that both standards write in the same way: one list for writing and for reading.

use fmu_exchange::RowAttributes;

use crate::description::xml::Element;
use crate::error::Error;

/// The attributes of an element by their names, as texts and as numbers.
pub(crate) struct Source<'s> {
    pub text: &'s dyn Fn(&str) -> Option<String>,
    pub number: &'s mut dyn FnMut(&str) -> Option<f64>,
}

/// The type of an attribute.
trait Value {
    fn write(&self, element: Element, name: &str, owner: &dyn Fn() -> String) -> Result<Element, Error>;
    fn read(source: &mut Source<'_>, name: &str) -> Self;
}

impl Value for Option<String> {
    fn write(&self, element: Element, name: &str, _: &dyn Fn() -> String) -> Result<Element, Error> {
        Ok(element.optional(name, self.as_deref()))
    }

    fn read(source: &mut Source<'_>, name: &str) -> Self {
        (source.text)(name)
    }
}

impl Value for Option<f64> {
    fn write(&self, element: Element, name: &str, owner: &dyn Fn() -> String) -> Result<Element, Error> {
        element.optional_real(name, *self, owner)
    }

    fn read(source: &mut Source<'_>, name: &str) -> Self {
        (source.number)(name)
    }
}

macro_rules! attributes_of_reals {
    ($($name:literal $field:ident,)*) => {
        /// Adds the attributes of a Real; an error names the variable.
        pub(crate) fn write_real(
            mut element: Element,
            attributes: &RowAttributes<String>,
            owner: &dyn Fn() -> String,
        ) -> Result<Element, Error> {
            $(element = attributes.$field.write(element, $name, owner)?;)*
            Ok(element)
        }

        /// Reads the attributes of a Real.
        pub(crate) fn read_real(mut source: Source<'_>) -> RowAttributes<String> {
            RowAttributes { $($field: Value::read(&mut source, $name),)* ..RowAttributes::default() }
        }
    };
}

attributes_of_reals! {
    "quantity" quantity,
    "displayUnit" display,
    "min" min,
    "max" max,
    "nominal" nominal,
}

/// Adds the attributes of an Integer.
pub(crate) fn write_integer(element: Element, attributes: &RowAttributes<String>) -> Element {
    let [min, max] = attributes.integer_bounds().map(|bound| bound.map(|bound| bound.to_string()));
    element.optional("min", min).optional("max", max)
}
