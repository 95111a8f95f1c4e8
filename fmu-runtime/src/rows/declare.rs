//! The two macros of a declaration: `model!` for a component, `group!` for variables used together.
//!
//! `rows.md` lists kinds, types, keys and units. Where a group is used, its options follow the
//! `=`. The rows of a group have no kinds if all are of the kind of the row that uses it. Otherwise all have
//! one of their own, as those of a connector, and that row's kind is `group`.

use crate::rows::row::ElementVisitor;
use crate::rows::scalar::Scalar;
use crate::rows::values::{Reader, Size, Writer};

/// The variables of a component in the scalar type `T`; [`model!`](crate::model!) makes one.
pub trait Variables<T: Scalar>: Sized {
    /// The structure options that decide which variables exist.
    type Structure: crate::Structure;
    /// The data prepared from parameters and files before the equations are evaluated.
    type Data: Default + Send + Sync + 'static;
    /// The name of the component.
    const NAME: &'static str;
    /// The package that declares it, with its version.
    const PACKAGE: (&'static str, &'static str);
    /// The component's equations, from the doc comment of its declaration.
    const EQUATIONS: &'static str;
    /// Number of values of the variables, by type.
    const SIZE: Size;
    /// True if rows of the component itself, not of its groups, are continuous-time states in some structure.
    const HAS_STATES: bool;

    /// Passes all elements to `visitor`.
    fn declare(structure: &Self::Structure, visitor: &mut dyn ElementVisitor);
    /// Reads all values but those of a group that not every structure has.
    fn read(reader: Reader<'_, T>) -> Self;
    /// Reads the values of a group that not every structure has.
    #[inline(always)]
    fn read_rest(&mut self, _reader: &Reader<'_, T>) {}
    /// Writes back the computed values; returns true if the sum of its Reals is finite, and so each of them.
    fn write(&self, writer: Writer<'_, T>) -> bool;
}

/// Declares the variables of a component, one row each, and makes it a [`Component`](crate::Component).
///
/// `struct Name<T>` may be followed by the structure options and the prepared data, `(s: Structure, data: Data)`, and by
/// the traits that the component implements beyond [`Equations`](crate::Equations): of [`Events`](crate::Events),
/// [`Indicators`](crate::Indicators), [`Steps`](crate::Steps), [`Memory`](crate::Memory) and
/// [`Acausal`](crate::Acausal).
#[doc = include_str!("rows.md")]
#[macro_export]
macro_rules! model {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident<$T:ident> $(: $first:ident $(+ $more:ident)*)? { $($rows:tt)* }
    ) => {
        $crate::model! {
            $(#[doc = $doc])*
            $vis struct $Name<$T>(_structure: (), data: ()) $(: $first $(+ $more)*)? { $($rows)* }
        }
    };
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident<$T:ident>($s:ident: $Structure:ty) $(: $first:ident $(+ $more:ident)*)? {
            $($rows:tt)*
        }
    ) => {
        $crate::model! {
            $(#[doc = $doc])*
            $vis struct $Name<$T>($s: $Structure, data: ()) $(: $first $(+ $more)*)? { $($rows)* }
        }
    };
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident<$T:ident>($s:ident: $Structure:ty, data: $Data:ty)
            $(: $first:ident $(+ $more:ident)*)?
        { $(
            $kind:ident $field:ident : $type:ty $(= $start:expr)? $(, $unit:ident)? , $text:literal
            $(, $key:ident = $value:expr)* ;
        )* }
    ) => {
        $crate::check_names!($($field)*);
        $(#[doc = $doc])*
        #[allow(non_snake_case)]
        #[derive(Clone)]
        $vis struct $Name<$T = f64> { $(#[doc = $text] $vis $field: $type,)* }

        impl $crate::Component for $Name<f64> {
            const INFO: $crate::Info = $crate::Info::of::<Self>();
            type Structure = $Structure;
            type Data = $Data;
            type In<T: $crate::Scalar> = $Name<T>;
        }

        $($crate::without!($first); $($crate::without!($more);)*)?
        $crate::without!(Events, [$($first $(, $more)*)?], $Name $T);
        $crate::without!(Indicators, [$($first $(, $more)*)?], $Name $T);
        $crate::without!(Steps, [$($first $(, $more)*)?], $Name $T);
        $crate::without!(Memory, [$($first $(, $more)*)?], $Name $T);
        $crate::without!(Acausal, [$($first $(, $more)*)?], $Name $T);

        $($crate::check_state!([$kind] [$($key)*] $text);)*

        impl<$T: $crate::Scalar> $crate::Variables<$T> for $Name<$T> {
            type Structure = $Structure;
            type Data = $Data;
            const NAME: &'static str = stringify!($Name);
            const PACKAGE: (&'static str, &'static str) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
            const EQUATIONS: &'static str = concat!($($doc, "\n",)*);
            const SIZE: $crate::Size = $crate::Size::NONE$(.plus(<$type as $crate::Variable<$T>>::SIZE))*;
            const HAS_STATES: bool =
                false$($(|| $crate::names_derivative!($key) && $crate::RowKind::$kind.is_computed())*)*;

            fn declare($s: &$Structure, visitor: &mut dyn $crate::ElementVisitor) {
                $crate::rows!(visitor, $T, [$($field)*], [], $(
                    [$crate::RowKind::$kind] $field: $type, [$($start)?], [$($unit)?], $text, [$($key($value))*];
                )*);
            }

            #[inline(always)]
            fn read(reader: $crate::Reader<'_, $T>) -> Self {
                let mut reader = reader.limited(<Self as $crate::Variables<$T>>::SIZE);
                Self { $($field: <$type as $crate::Variable<$T>>::read(&mut reader),)* }
            }

            #[inline(always)]
            fn read_rest(&mut self, reader: &$crate::Reader<'_, $T>) {
                let begin = <Self as $crate::Variables<$T>>::SIZE.reals;
                $(<$type as $crate::Variable<$T>>::read_rest(&mut self.$field, reader, begin);)*
            }

            #[inline(always)]
            fn write(&self, writer: $crate::Writer<'_, $T>) -> bool {
                let mut writer = writer.limited(<Self as $crate::Variables<$T>>::SIZE);
                $(if const { $crate::RowKind::$kind.is_computed() } {
                    <$type as $crate::Variable<$T>>::write(&self.$field, &mut writer);
                } else {
                    writer.skip(<$type as $crate::Variable<$T>>::SIZE);
                })*
                writer.is_sum_finite()
            }
        }
    };
}

/// Declares variables that are used together, such as those of a frame; names get the row's prefix,
/// none if the row says `name = ""`.
#[macro_export]
macro_rules! group {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident<$T:ident>($o:ident: $Options:ty) { $(
            $kind:ident $field:ident : $type:ty $(= $start:expr)? $(, $unit:ident)? , $text:literal
            $(, $key:ident = $value:expr)* ;
        )* }
    ) => {
        $crate::group! {
            $(#[doc = $doc])*
            $vis struct $Name<$T>($o: $Options) {
                $([$kind] $field: $type $(= $start)? $(, $unit)?, $text $(, $key = $value)*;)*
            }
        }
    };
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident<$T:ident>($o:ident: $Options:ty) { $(
            $([$kind:ident])? $field:ident : $type:ty $(= $start:expr)? $(, $unit:ident)? , $text:literal
            $(, $key:ident = $value:expr)* ;
        )* }
    ) => {
        $crate::check_names!($($field)*);
        $(#[doc = $doc])*
        #[allow(non_snake_case)]
        #[derive(Clone)]
        $vis struct $Name<$T> { $(#[doc = $text] $vis $field: $type,)* }

        $($crate::check_state!([$($kind)?] [$($key)*] $text);)*

        impl<$T: $crate::Scalar> $crate::Variable<$T> for $Name<$T> {
            type Start = $Options;
            const SIZE: $crate::Size = $crate::Size::NONE$(.plus(<$type as $crate::Variable<$T>>::SIZE))*;

            fn declare(
                attributes: &$crate::Attributes<'_>,
                options: Option<$Options>,
                visitor: &mut dyn $crate::ElementVisitor,
            ) {
                let $o: $Options = options.unwrap_or_default();
                let prefix = attributes.as_prefix();
                $crate::rows!(visitor, $T, [$($field)*], [attributes prefix], $(
                    [$crate::kind!($($kind)?, attributes)] $field: $type, [$($start)?], [$($unit)?], $text,
                    [$($key($value))*];
                )*);
            }

            #[inline(always)]
            fn read(reader: &mut $crate::Reader<'_, $T>) -> Self {
                Self { $($field: <$type as $crate::Variable<$T>>::read(reader),)* }
            }

            #[inline(always)]
            fn write(&self, writer: &mut $crate::Writer<'_, $T>) {
                $(if const { $crate::kind!($($kind)?).is_computed() } {
                    <$type as $crate::Variable<$T>>::write(&self.$field, writer);
                } else {
                    writer.skip(<$type as $crate::Variable<$T>>::SIZE);
                })*
            }
        }
    };
}

/// Gives the kind of a row of a group: its own, or that of the row that uses the group, which only writes computed
/// values.
#[doc(hidden)]
#[macro_export]
macro_rules! kind {
    ($kind:ident $(, $group:ident)?) => {
        $crate::RowKind::$kind
    };
    (, $group:ident) => {
        $group.kind()
    };
    () => {
        $crate::RowKind::group
    };
}

/// Expands to true if this key of a row names a derivative.
#[doc(hidden)]
#[macro_export]
macro_rules! names_derivative {
    (der) => {
        true
    };
    ($other:ident) => {
        false
    };
}

/// Refuses a name that is used twice: the compiler reports parameters at their names, fields at the whole declaration.
#[doc(hidden)]
#[macro_export]
macro_rules! check_names {
    ($($field:ident)*) => {
        const _: () = {
            #[allow(dead_code, non_snake_case, clippy::too_many_arguments)]
            fn names($($field: ()),*) {}
        };
    };
}

/// Refuses a state whose row does not name its derivative.
#[doc(hidden)]
#[macro_export]
macro_rules! check_state {
    ([state] [der $($key:ident)*] $text:literal) => {};
    ([state] [$other:ident $($key:ident)*] $text:literal) => {
        $crate::check_state!([state] [$($key)*] $text);
    };
    ([state] [] $text:literal) => {
        const _: () = $crate::derivative_of_state($text);
    };
    ([$($kind:ident)?] [$($key:ident)*] $text:literal) => {};
}

/// Declares rows; a part of [`model!`](crate::model!) and [`group!`](crate::group!).
#[doc(hidden)]
#[macro_export]
macro_rules! rows {
    ($visitor:ident, $T:ident, $fields:tt, $group:tt, $(
        [$kind:expr] $field:ident : $type:ty, [$($start:expr)?], [$($unit:ident)?], $text:literal,
        [$($key:ident($value:expr))*];
    )*) => {$({
        let unit: Option<&'static $crate::unit::Unit> =
            if $crate::DECLARES { $crate::optional!($($crate::unit::$unit)?) } else { None };
        let keys = &[$($crate::key!($key($value) $fields)),*];
        let words =
            if $crate::DECLARES { concat!(stringify!($field), "\n", $text) } else { stringify!($field) };
        let has_start = $crate::is_given!($($start)?);
        let attributes = $crate::attributes!($group, $kind, words, unit, has_start, keys);
        $crate::declare_row::<$type, $T, _>(&attributes, $crate::optional!($($start)?), $visitor);
    })*};
}

/// The attributes of a row of a component, or of a group.
#[doc(hidden)]
#[macro_export]
macro_rules! attributes {
    ([], $($of_row:expr),*) => {
        $crate::Attributes::new($($of_row),*)
    };
    ([$group:ident $prefix:ident], $($of_row:expr),*) => {
        $crate::Attributes::member($($of_row,)* $group, &$prefix)
    };
}

/// A key of a row. That of a derivative is the name of a field, or an expression with such names or strings.
#[doc(hidden)]
#[macro_export]
macro_rules! key {
    (der($value:expr) [$($field:ident)*]) => {
        $crate::Key::der({
            $(
                #[allow(unused_variables, non_snake_case)]
                let $field = stringify!($field);
            )*
            $value
        })
    };
    (text($value:expr) $fields:tt) => {
        $crate::Key::text($crate::declared($value))
    };
    (display($value:expr) $fields:tt) => {
        $crate::Key::display($crate::declared($value))
    };
    (columns($value:expr) $fields:tt) => {
        $crate::Key::columns(if $crate::DECLARES { $value } else { &[] })
    };
    (modelica($value:expr) $fields:tt) => {
        $crate::Key::modelica($crate::declared($value))
    };
    ($key:ident($value:expr) $fields:tt) => {
        $crate::Key::$key($value)
    };
}

/// True if there is a value.
#[doc(hidden)]
#[macro_export]
macro_rules! is_given {
    () => {
        false
    };
    ($value:expr) => {
        true
    };
}

/// Expands to `Some` of the given value, or `None`.
#[doc(hidden)]
#[macro_export]
macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}
