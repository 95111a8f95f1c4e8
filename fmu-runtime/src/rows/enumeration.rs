//! Enumerations, for FMI variables and for structure options alike.

/// Declares a Rust enum whose items are Modelica identifiers.
///
/// `| "word"` behind an item is another word that the configuration accepts for it; there may be several.
#[macro_export]
macro_rules! enumeration {
    (
        $(#[doc = $text:literal])+
        $vis:vis enum $Name:ident { $first:ident $(| $first_alias:literal)* = $first_text:literal
            $(, $item:ident $(| $alias:literal)* = $item_text:literal)* $(,)? }
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
            const TYPE: &'static $crate::Enumeration = &$crate::Enumeration {
                name: ::std::borrow::Cow::Borrowed(stringify!($Name)),
                description: ::std::borrow::Cow::Borrowed($crate::declared(concat!($($text),+).trim_ascii())),
                items: ::std::borrow::Cow::Borrowed(&[
                    $crate::Item::new(stringify!($first), $first_text)
                    $(, $crate::Item::new(stringify!($item), $item_text))*
                ]),
                aliases: ::std::borrow::Cow::Borrowed(&[
                    $((::std::borrow::Cow::Borrowed($first_alias), ::std::borrow::Cow::Borrowed(stringify!($first))),)*
                    $($((::std::borrow::Cow::Borrowed($alias), ::std::borrow::Cow::Borrowed(stringify!($item))),)*)*
                ]),
            };
        }

        impl $crate::Choice for $Name {
            fn kind() -> $crate::StructureKind {
                $crate::StructureKind::Enumeration(Self::TYPE.names())
            }
            fn aliases() -> &'static [(&'static str, &'static str)] {
                &[$(($first_alias, stringify!($first)),)* $($(($alias, stringify!($item)),)*)*]
            }
            fn parse(word: &str) -> Option<Self> {
                let word = <Self as $crate::Choice>::aliases()
                    .iter().find(|(alias, _)| *alias == word).map_or(word, |(_, name)| name);
                Some(Self::ITEMS[Self::TYPE.position(word)?])
            }
            fn text(&self) -> String {
                Self::TYPE.items[*self as usize].name.to_string()
            }
        }

        impl<T: $crate::Scalar> $crate::Variable<T> for $Name {
            type Start = Self;
            const SIZE: $crate::Size = $crate::Size { integers: 1, ..$crate::Size::NONE };
            fn declare(
                attributes: &$crate::Attributes<'_>,
                start: Option<Self>,
                visitor: &mut dyn $crate::ElementVisitor,
            ) {
                visitor.enumeration(attributes, Self::TYPE, start.unwrap_or_default() as i32 + 1);
            }
            #[inline(always)]
            fn read(reader: &mut $crate::Reader<'_, T>) -> Self {
                let item = reader.integer().wrapping_sub(1) as usize;
                // An index avoids a branch between the values.
                Self::ITEMS[if item < Self::ITEMS.len() { item } else { Self::default() as usize }]
            }
            #[inline(always)]
            fn write(&self, writer: &mut $crate::Writer<'_, T>) {
                writer.integer(*self as i32 + 1);
            }
        }
    };
}
