//! Reports in JUnit's format, as servers of continuous integration read it.

use std::io::Result;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

/// Cases of one subject.
pub struct Suite {
    /// The subject.
    pub name: String,
    /// Duration in s, if it is known.
    pub seconds: Option<f64>,
    /// The cases, by their names.
    pub cases: Vec<(String, Outcome)>,
}

/// The outcome of a case.
#[derive(PartialEq)]
pub enum Outcome {
    /// The case has passed.
    Passed,
    /// The case has failed, with a message.
    Failed(String),
    /// The case was not tried, for this reason.
    Skipped(String),
}

/// Returns the report as XML.
///
/// # Errors
///
/// Those of writing into memory.
pub fn junit(suites: &[Suite]) -> Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    writer.create_element("testsuites").write_inner_content(|writer| {
        for Suite { name, seconds, cases } in suites {
            let count = |is: fn(&Outcome) -> bool| cases.iter().filter(|(_, outcome)| is(outcome)).count().to_string();
            let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
            let skipped = count(|outcome| matches!(outcome, Outcome::Skipped(_)));
            let (name, tests) = (legible(name), cases.len().to_string());
            let seconds = seconds.map(|seconds| format!("{seconds:.3}"));
            let suite = writer.create_element("testsuite").with_attributes([
                ("name", name.as_str()),
                ("tests", &tests),
                ("failures", &failed),
                ("skipped", &skipped),
            ]);
            let suite = suite.with_attributes(seconds.as_deref().map(|seconds| ("time", seconds)));
            suite.write_inner_content(|writer| {
                cases.iter().try_for_each(|(case, outcome)| write_case(writer, &name, case, outcome))
            })?;
        }
        Ok(())
    })?;
    Ok(writer.into_inner())
}

fn write_case(writer: &mut Writer<Vec<u8>>, suite: &str, name: &str, outcome: &Outcome) -> Result<()> {
    let case = writer.create_element("testcase").with_attributes([("classname", suite), ("name", &legible(name))]);
    match outcome {
        Outcome::Passed => case.write_empty()?,
        Outcome::Failed(message) => case.write_inner_content(|writer| {
            writer.create_element("failure").write_text_content(BytesText::new(&legible(message))).map(drop)
        })?,
        Outcome::Skipped(reason) => case.write_inner_content(|writer| {
            let skipped = writer.create_element("skipped").with_attribute(("message", legible(reason).as_str()));
            skipped.write_empty().map(drop)
        })?,
    };
    Ok(())
}

/// Returns the text without the control characters that XML does not have, such as those of colours.
fn legible(text: &str) -> String {
    text.chars().filter(|character| !character.is_control() || "\t\n".contains(*character)).collect()
}
