//! Enumerations, for FMI variables and for structure options alike.

/// An enumeration type as FMI sees it.
#[derive(Debug, PartialEq, Eq)]
pub struct EnumerationType {
    /// Name of the type.
    pub name: &'static str,
    /// One line.
    pub text: &'static str,
    /// Names and descriptions of the items, whose values are 1, 2, ….
    pub items: &'static [(&'static str, &'static str)],
}

/// Declares a Rust enum whose items are Modelica identifiers.
///
/// `| word` behind an item is another word that the configuration accepts for it.
#[macro_export]
macro_rules! enumeration {
    (
        $(#[doc = $text:literal])+
        $vis:vis enum $Name:ident { $first:ident $(| $first_alias:literal)? = $first_text:literal
            $(, $item:ident $(| $alias:literal)? = $item_text:literal)* $(,)? }
    ) => {
        $(#[doc = $text])+
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        $vis enum $Name {
            #[doc = $first_text]
            #[default]
            $first,
            $(#[doc = $item_text] $item,)*
        }

        impl $Name {
            const ITEMS: &'static [Self] = &[Self::$first $(, Self::$item)*];
            const TYPE: $crate::EnumerationType = $crate::EnumerationType {
                name: stringify!($Name),
                text: concat!($($text),+).trim_ascii(),
                items: &[(stringify!($first), $first_text) $(, (stringify!($item), $item_text))*],
            };
        }

        impl $crate::Choice for $Name {
            fn kind() -> $crate::description::StructureKind {
                $crate::description::StructureKind::Enumeration(
                    Self::TYPE.items.iter().map(|(name, _)| name.to_string()).collect(),
                )
            }
            fn aliases() -> &'static [(&'static str, &'static str)] {
                &[$(($first_alias, stringify!($first)),)? $($(($alias, stringify!($item)),)?)*]
            }
            fn parse(word: &str) -> Option<Self> {
                let word = <Self as $crate::Choice>::aliases()
                    .iter().find(|(alias, _)| *alias == word).map_or(word, |(_, name)| name);
                let position = Self::TYPE.items.iter().position(|(name, _)| *name == word)?;
                Some(Self::ITEMS[position])
            }
            fn text(&self) -> String {
                Self::TYPE.items[*self as usize].0.to_owned()
            }
        }

        impl<T: $crate::Scalar> $crate::Variable<T> for $Name {
            type Start = Self;
            type Options = ();
            const SIZE: $crate::Size = $crate::Size { integers: 1, ..$crate::Size::NONE };
            fn declare(facts: &$crate::Facts<'_>, start: Option<Self>, _: (), sink: &mut dyn $crate::Sink) {
                sink.enumeration(facts, &Self::TYPE, start.unwrap_or_default() as i32 + 1);
            }
            fn read(reader: &mut $crate::Reader<'_, T>) -> Self {
                Self::ITEMS.get((reader.integer() - 1) as usize).copied().unwrap_or_default()
            }
            fn write(&self, writer: &mut $crate::Writer<'_, T>) {
                writer.integer(*self as i32 + 1);
            }
        }
    };
}
