//! Expressions in numbers: `2*m*r^2`, with the operators, functions and precedence of Modelica.

use winnow::ascii::{float, multispace0};
use winnow::combinator::terminated;
use winnow::combinator::{Infix, Prefix, alt, delimited, dispatch, expression, not, opt, peek, preceded, separated};
use winnow::error::ContextError;
use winnow::prelude::*;
use winnow::token::{one_of, take_while};

use super::value::{Data, Value};
use crate::text::suggestion::did_you_mean;

/// Largest length of an expression: it is read recursively.
const MAX_LENGTH: usize = 500;

/// Largest number of brackets inside each other.
const MAX_DEPTH: i32 = 20;

/// The ratio of a circle's circumference to its diameter.
pub(super) const PI: &str = "pi";

/// An expression that has been read.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Number(f64),
    /// A name, or with indices an element of the array of this name.
    Reference(String, Vec<Expression>),
    Call(String, Vec<Expression>),
    Minus(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// Values of names; the error says why there is none.
pub(super) type Names<'a> = &'a dyn Fn(&str) -> Result<Value, String>;

/// A function: its name, the number of its arguments, and its value.
type Function = (&'static str, usize, fn(&[f64]) -> f64);

/// The functions. Those of `libm` have the same results on all computers, and so the FMU has the same bytes.
const FUNCTIONS: [Function; 21] = [
    ("abs", 1, |x| x[0].abs()),
    ("sign", 1, |x| if x[0] == 0.0 { 0.0 } else { x[0].signum() }),
    ("sqrt", 1, |x| x[0].sqrt()),
    ("exp", 1, |x| libm::exp(x[0])),
    ("log", 1, |x| libm::log(x[0])),
    ("log10", 1, |x| libm::log10(x[0])),
    ("sin", 1, |x| libm::sin(x[0])),
    ("cos", 1, |x| libm::cos(x[0])),
    ("tan", 1, |x| libm::tan(x[0])),
    ("asin", 1, |x| libm::asin(x[0])),
    ("acos", 1, |x| libm::acos(x[0])),
    ("atan", 1, |x| libm::atan(x[0])),
    ("atan2", 2, |x| libm::atan2(x[0], x[1])),
    ("sinh", 1, |x| libm::sinh(x[0])),
    ("cosh", 1, |x| libm::cosh(x[0])),
    ("tanh", 1, |x| libm::tanh(x[0])),
    ("floor", 1, |x| x[0].floor()),
    ("ceil", 1, |x| x[0].ceil()),
    ("mod", 2, |x| x[0] - (x[0] / x[1]).floor() * x[1]),
    ("min", 2, |x| x[0].min(x[1])),
    ("max", 2, |x| x[0].max(x[1])),
];

impl Expression {
    /// Reads an expression; the error says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("is empty: write an expression, such as \"=2*r\"".to_owned());
        }
        if text.len() > MAX_LENGTH {
            return Err(format!("is too long: an expression has at most {MAX_LENGTH} characters"));
        }
        let depths = text.chars().scan(0, |depth, letter| {
            *depth += i32::from(matches!(letter, '(' | '[')) - i32::from(matches!(letter, ')' | ']'));
            Some(*depth)
        });
        let (deepest, left_open) = depths.fold((0, 0), |(deepest, _), depth| (depth.max(deepest), depth));
        if deepest > MAX_DEPTH {
            return Err(format!("has more than {MAX_DEPTH} brackets inside each other: give some of it a name"));
        }
        if left_open > 0 {
            return Err("has a bracket that is not closed".to_owned());
        }
        preceded(multispace0, sum).parse(text).map_err(|error| match text[error.offset()..].trim() {
            "" => "ends too early".to_owned(),
            rest => format!("is not understood from \"{rest}\" on"),
        })
    }

    /// Returns the value, which is a number.
    pub fn number(&self, names: Names<'_>) -> Result<f64, String> {
        let result = match self {
            Self::Number(number) => *number,
            Self::Reference(name, indices) => {
                let value = reference(name, indices, names)?;
                value.real().ok_or_else(|| format!("\"{name}\" is not a number"))?
            }
            Self::Minus(of) => -of.number(names)?,
            Self::Call(function, arguments) => call(function, arguments, names)?,
            Self::Binary(operator, one, other) => {
                let (one, other) = (one.number(names)?, other.number(names)?);
                match operator {
                    Operator::Add => one + other,
                    Operator::Subtract => one - other,
                    Operator::Multiply => one * other,
                    Operator::Divide if other == 0.0 => return Err("a number is divided by 0".to_owned()),
                    Operator::Divide => one / other,
                    Operator::Power => libm::pow(one, other),
                }
            }
        };
        if result.is_finite() { Ok(result) } else { Err("the result is not a finite number".to_owned()) }
    }

    /// Returns the value of a name alone, or of an element of an array, which need not be a number.
    pub fn named(&self, names: Names<'_>) -> Option<Result<Value, String>> {
        match self {
            Self::Reference(name, indices) => Some(reference(name, indices, names)),
            _ => None,
        }
    }
}

fn reference(name: &str, indices: &[Expression], names: Names<'_>) -> Result<Value, String> {
    let mut value = names(name)?;
    for index in indices {
        let number = index.number(names)?;
        let Data::Array(elements) = value.data else { return Err(format!("\"{name}\" has too many indices")) };
        let count = elements.len();
        let element = elements.into_iter().zip(1..).find(|(_, own)| f64::from(*own) == number);
        (value, _) =
            element.ok_or_else(|| format!("an index of \"{name}\" is {number}, but must be from 1 to {count}"))?;
    }
    Ok(value)
}

fn call(function: &str, arguments: &[Expression], names: Names<'_>) -> Result<f64, String> {
    let known = || FUNCTIONS.iter().map(|(name, ..)| *name);
    let Some((_, count, of)) = FUNCTIONS.iter().find(|(name, ..)| *name == function) else {
        let hint = did_you_mean(function, known());
        return Err(format!("there is no function \"{function}\"{hint}"));
    };
    if *count != arguments.len() {
        let plural = if *count == 1 { "" } else { "s" };
        return Err(format!("{function} has {count} argument{plural}, not {}", arguments.len()));
    }
    let arguments: Vec<_> = arguments.iter().map(|of| of.number(names)).collect::<Result<_, _>>()?;
    let result = of(&arguments);
    let shown = || arguments.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    if result.is_finite() { Ok(result) } else { Err(format!("{function}({}) is not a finite number", shown())) }
}

type Read<T> = Result<T, ContextError>;

fn sum(input: &mut &str) -> Read<Expression> {
    fn binary(operator: Operator, one: Expression, other: Expression) -> Read<Expression> {
        Ok(Expression::Binary(operator, Box::new(one), Box::new(other)))
    }
    expression(operand)
        // Two signs in succession are no expression of Modelica either.
        .prefix(dispatch! { terminated(symbol("+-"), not(one_of(['+', '-'])));
            '-' => Prefix(15, |_: &mut _, of| Ok(Expression::Minus(Box::new(of)))),
            _ => Prefix(15, |_: &mut _, of| Ok(of)),
        })
        .infix(dispatch! { symbol("+-*/^");
            '+' => Infix::Left(10, |_: &mut _, one, other| binary(Operator::Add, one, other)),
            '-' => Infix::Left(10, |_: &mut _, one, other| binary(Operator::Subtract, one, other)),
            '*' => Infix::Left(13, |_: &mut _, one, other| binary(Operator::Multiply, one, other)),
            '/' => Infix::Left(13, |_: &mut _, one, other| binary(Operator::Divide, one, other)),
            _ => Infix::Right(20, |_: &mut _, one, other| binary(Operator::Power, one, other)),
        })
        .parse_next(input)
}

/// One of some characters, with the blanks behind it.
fn symbol<'a>(of: &'static str) -> impl Parser<&'a str, char, ContextError> {
    terminated(one_of(move |letter: char| of.contains(letter)), multispace0)
}

fn operand(input: &mut &str) -> Read<Expression> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let number = preceded(peek(one_of(is_digit)), terminated(float, multispace0)).map(Expression::Number);
    alt((number, delimited(symbol("("), sum, symbol(")")), named)).parse_next(input)
}

/// A name, an element of an array, or the call of a function.
fn named(input: &mut &str) -> Read<Expression> {
    let first = one_of(|letter: char| letter.is_ascii_alphabetic());
    let rest = take_while(0.., |letter: char| letter.is_ascii_alphanumeric() || letter == '_');
    let name: &str = terminated((first, rest).take(), multispace0).parse_next(input)?;
    if let Some(arguments) =
        opt(delimited(symbol("("), separated(1.., sum, symbol(",")), symbol(")"))).parse_next(input)?
    {
        return Ok(Expression::Call(name.to_owned(), arguments));
    }
    let indices = opt(delimited(symbol("["), separated(1.., sum, symbol(",")), symbol("]"))).parse_next(input)?;
    Ok(Expression::Reference(name.to_owned(), indices.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        Expression::parse(text)?.number(&|name| Err(format!("no {name}")))
    }

    #[test]
    fn precedence_is_that_of_modelica() {
        for (text, expected) in [
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("2^-2^2", 0.0625),
            ("2^3^2", 512.0),
            ("-sin(0.5)^2", -(0.5_f64.sin() * 0.5_f64.sin())),
            ("1 - 2 - 3", -4.0),
            ("8/4/2", 1.0),
            ("2*3 + 4*5", 26.0),
            ("2 * -3", -6.0),
            ("1e-3 * 2.5E+3", 2.5),
            ("(1 + 2)*3", 9.0),
            ("mod(-1, 3)", 2.0),
            ("max(1, min(2, 3)) + sign(-4)", 1.0),
            ("atan2(1, -1)", 0.75 * std::f64::consts::PI),
        ] {
            let found = value(text).unwrap_or_else(|reason| panic!("{text}: {reason}"));
            assert!((found - expected).abs() < 1e-15, "{text}: {found}");
        }
    }

    /// Texts with many unfinished expressions inside each other end soon and do not use up the stack.
    #[test]
    fn long_texts_are_read_soon() {
        for part in ["f(", "(", "a[", "-", "2^-", "f(1,", "a[1]^", "sin(-(1+"] {
            let text = part.repeat(MAX_LENGTH / part.len());
            assert!(Expression::parse(&text).is_err(), "{text}");
            let closed: String = text
                .chars()
                .filter_map(|c| {
                    [("(", ")"), ("[", "]")].iter().find(|(open, _)| open.starts_with(c)).map(|(_, close)| *close)
                })
                .collect();
            let _ = Expression::parse(&format!("{text}1{closed}"));
        }
    }

    /// An expression with its value, computed as it is made, and how strongly its last operator binds.
    #[derive(Clone, Debug)]
    struct Made {
        text: String,
        value: f64,
        binds: u8,
    }

    impl Made {
        fn inside(&self, least: u8) -> String {
            if self.binds < least { format!("({})", self.text) } else { self.text.clone() }
        }
    }

    fn any_expression() -> impl Strategy<Value = Made> {
        let number = (0.1_f64..9.0).prop_map(|value| Made { text: format!("{value}"), value, binds: 9 });
        number.prop_recursive(4, 24, 2, |inner| {
            let minus =
                inner.clone().prop_map(|one| Made { text: format!("-{}", one.inside(4)), value: -one.value, binds: 2 });
            let binary =
                (inner.clone(), inner.clone(), 0..5_usize, any::<bool>()).prop_map(|(one, other, operator, blank)| {
                    // Sums allow a sign at their left end only.
                    let (name, binds, left, right) =
                        [("+", 1, 1, 3), ("-", 1, 1, 3), ("*", 3, 3, 4), ("/", 3, 3, 4), ("^", 4, 5, 4)][operator];
                    let (x, y) = (one.value, other.value);
                    let value = match operator {
                        0 => x + y,
                        1 => x - y,
                        2 => x * y,
                        3 => x / y,
                        _ => x.powf(y),
                    };
                    let space = if blank { " " } else { "" };
                    Made {
                        text: format!("{}{space}{name}{space}{}", one.inside(left), other.inside(right)),
                        value,
                        binds,
                    }
                });
            let call =
                inner.prop_map(|one| Made { text: format!("abs({})", one.text), value: one.value.abs(), binds: 9 });
            prop_oneof![1 => minus, 3 => binary, 1 => call]
        })
    }

    proptest! {
        #[test]
        fn any_expression_has_its_value(made in any_expression()) {
            match value(&made.text) {
                Ok(found) => {
                    let away = (found - made.value).abs();
                    prop_assert!(away <= 1e-9 * made.value.abs(), "{}: {found}, not {}", made.text, made.value);
                }
                // Without a finite value, of it or of a part, or divided by 0.
                Err(reason) => prop_assert!(reason.contains("finite") || reason.contains("divided"), "{}: {reason}", made.text),
            }
        }

        #[test]
        fn any_text_is_an_expression_or_has_a_message(text in "[a-c0-9.,()\\[\\]+*/^ -]{0,60}|\\PC{0,40}") {
            if let Err(reason) = value(&text) {
                prop_assert!(!reason.is_empty());
            }
        }
    }
}
