//! Families of parts: one type for the compiler, whose structure says which of several parts it is.

/// Makes the kinds of a family, each with the name of its type and a description in one line. The first one is the default.
macro_rules! kinds {
    (
        $(#[$doc:meta])*
        pub enum $Kind:ident {
            $first:ident = $first_name:literal, $first_text:literal;
            $($kind:ident = $name:literal, $text:literal;)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $Kind {
            #[default]
            #[doc = $first_text]
            $first,
            $(#[doc = $text] $kind,)*
        }

        impl $Kind {
            const ALL: &[Self] = &[Self::$first, $(Self::$kind),*];

            /// Returns the name of the type, and the description.
            const fn names(self) -> (&'static str, &'static str) {
                match self {
                    Self::$first => ($first_name, $first_text),
                    $(Self::$kind => ($name, $text),)*
                }
            }
        }
    };
}
pub(crate) use kinds;
