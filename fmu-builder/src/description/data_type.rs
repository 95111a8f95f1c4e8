//! The types of values that FMI 3.0 knows.

/// The types of FMI 3.0 that have numbers or texts as values.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataType {
    Float32,
    Float64,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Boolean,
    String,
    Enumeration,
}

impl DataType {
    /// All types.
    pub const ALL: [Self; 13] = [
        Self::Float32,
        Self::Float64,
        Self::Int8,
        Self::UInt8,
        Self::Int16,
        Self::UInt16,
        Self::Int32,
        Self::UInt32,
        Self::Int64,
        Self::UInt64,
        Self::Boolean,
        Self::String,
        Self::Enumeration,
    ];

    /// Returns the type of an element of `ModelVariables`.
    pub fn parse(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == tag)
    }

    /// Returns FMI's name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Float32 => "Float32",
            Self::Float64 => "Float64",
            Self::Int8 => "Int8",
            Self::UInt8 => "UInt8",
            Self::Int16 => "Int16",
            Self::UInt16 => "UInt16",
            Self::Int32 => "Int32",
            Self::UInt32 => "UInt32",
            Self::Int64 => "Int64",
            Self::UInt64 => "UInt64",
            Self::Boolean => "Boolean",
            Self::String => "String",
            Self::Enumeration => "Enumeration",
        }
    }

    /// Returns true for floating-point numbers.
    pub fn is_real(self) -> bool {
        matches!(self, Self::Float32 | Self::Float64)
    }

    /// Returns true for integers; an item of an enumeration is another type.
    pub fn is_whole(self) -> bool {
        !self.is_real() && !matches!(self, Self::Boolean | Self::String | Self::Enumeration)
    }

    /// Returns the smallest and the largest integer of the type.
    pub fn limits(self) -> (i128, i128) {
        match self {
            Self::Int8 => (i8::MIN.into(), i8::MAX.into()),
            Self::UInt8 => (0, u8::MAX.into()),
            Self::Int16 => (i16::MIN.into(), i16::MAX.into()),
            Self::UInt16 => (0, u16::MAX.into()),
            Self::Int32 => (i32::MIN.into(), i32::MAX.into()),
            Self::UInt32 => (0, u32::MAX.into()),
            Self::UInt64 => (0, u64::MAX.into()),
            _ => (i64::MIN.into(), i64::MAX.into()),
        }
    }
}
