//! The two macros of a declaration: `model!` for a component, `group!` for variables used together.
//!
//! A row is `kind field: Type = start, UNIT, "description", key = value, …;` where the keys are the
//! methods of [`Row`](crate::Row). Rows of a group have no kind: it is given where the group is used.

use crate::row::Sink;
use crate::scalar::Scalar;
use crate::values::{Reader, Writer};

/// The variables of a component in the scalar type `T`; [`model!`](crate::model!) makes one.
pub trait Variables<T: Scalar>: Sized {
    /// The structure options that decide which variables exist.
    type Structure: crate::Structure;
    /// The component's equations, from the doc comment of its declaration.
    const EQUATIONS: &'static str;

    /// Hands all elements to `sink`.
    fn declare(structure: &Self::Structure, sink: &mut dyn Sink);
    /// Takes all values.
    fn read(reader: Reader<'_, T>) -> Self;
    /// Puts back what the equations compute.
    fn write(&self, writer: Writer<'_, T>);
    /// Puts back everything.
    fn write_all(&self, writer: Writer<'_, T>);
    /// Makes arbitrary values admissible.
    fn regularise(&mut self);
}

/// Declares the variables of a component, one row each.
#[macro_export]
macro_rules! model {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident<$T:ident>($s:ident: $Structure:ty) { $(
            $kind:ident $field:ident : $type:ty $(= $start:expr)? $(, $unit:ident)? , $text:literal
            $(, $key:ident = $value:expr)* ;
        )* }
    ) => {
        $(#[doc = $doc])*
        #[allow(non_snake_case)]
        #[derive(Clone)]
        $vis struct $Name<$T> { $(#[doc = $text] $vis $field: $type,)* }

        impl<$T: $crate::Scalar> $crate::Variables<$T> for $Name<$T> {
            type Structure = $Structure;
            const EQUATIONS: &'static str = concat!($($doc, "\n",)*);

            fn declare($s: &$Structure, sink: &mut dyn $crate::Sink) {
                $($crate::Row::<$T, $type>::new($crate::Facts::new($crate::Kind::$kind, stringify!($field), $text))
                    $(.start($start))? $(.unit($crate::unit::$unit))? $(.$key($value))*
                    .declare(sink);)*
            }

            fn read(mut reader: $crate::Reader<'_, $T>) -> Self {
                Self { $($field: <$type as $crate::Variable<$T>>::read(&mut reader),)* }
            }

            fn write(&self, mut writer: $crate::Writer<'_, $T>) {
                $(if const { $crate::Kind::$kind.is_computed() } {
                    <$type as $crate::Variable<$T>>::write(&self.$field, &mut writer);
                } else {
                    writer.skip(<$type as $crate::Variable<$T>>::SIZE);
                })*
            }

            fn write_all(&self, mut writer: $crate::Writer<'_, $T>) {
                $(<$type as $crate::Variable<$T>>::write(&self.$field, &mut writer);)*
            }

            fn regularise(&mut self) {
                $(<$type as $crate::Variable<$T>>::regularise(&mut self.$field);)*
            }
        }
    };
}

/// Declares variables that are used together, such as those of a frame; names get the row's prefix.
#[macro_export]
macro_rules! group {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident<$T:ident>($o:ident: $Options:ty) { $(
            $field:ident : $type:ty $(= $start:expr)? $(, $unit:ident)? , $text:literal
            $(, $key:ident = $value:expr)* ;
        )* }
    ) => {
        $(#[doc = $doc])*
        #[allow(non_snake_case)]
        #[derive(Clone)]
        $vis struct $Name<$T> { $(#[doc = $text] $vis $field: $type,)* }

        impl<$T: $crate::Scalar> $crate::Variable<$T> for $Name<$T> {
            type Start = ::core::convert::Infallible;
            type Options = $Options;
            const SIZE: $crate::Size = $crate::Size::NONE$(.plus(<$type as $crate::Variable<$T>>::SIZE))*;

            fn declare(
                facts: &$crate::Facts<'_>,
                _: Option<Self::Start>,
                $o: $Options,
                sink: &mut dyn $crate::Sink,
            ) {
                let prefix = facts.as_prefix();
                $($crate::Row::<$T, $type>::new($crate::Facts::member(facts, &prefix, stringify!($field), $text))
                    $(.start($start))? $(.unit($crate::unit::$unit))? $(.$key($value))*
                    .declare(sink);)*
            }

            fn read(reader: &mut $crate::Reader<'_, $T>) -> Self {
                Self { $($field: <$type as $crate::Variable<$T>>::read(reader),)* }
            }

            fn write(&self, writer: &mut $crate::Writer<'_, $T>) {
                $(<$type as $crate::Variable<$T>>::write(&self.$field, writer);)*
            }

            fn regularise(&mut self) {
                $(<$type as $crate::Variable<$T>>::regularise(&mut self.$field);)*
            }
        }
    };
}
