//! `documentation/index.html`: one page, from the component's own text and its declaration.

mod rows;
mod table;

use fmu_exchange::Standard;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use table::escape;

use crate::description::pictures::svg;
use crate::description::{Causality, Description, schematic};
use crate::text::GENERATOR;

/// Returns the page for one FMU.
pub fn documentation(description: &Description, standard: Standard) -> String {
    let mut sections = vec![("documentation", "Documentation", article(&description.documentation))];
    sections.extend(schematic(description));
    sections.extend(pictures(description));
    let of = |causalities: &[Causality]| rows::variables(description, causalities);
    for (anchor, title, content) in [
        ("parameters", "Parameters", of(&[Causality::Parameter])),
        ("inputs", "Inputs", of(&[Causality::Input])),
        ("outputs", "Outputs", of(&[Causality::Output])),
        ("local", "Other variables", of(&[Causality::CalculatedParameter, Causality::Local, Causality::Independent])),
        ("attachments", "Attachments", rows::attachments(description)),
        ("structure", "Structure", rows::structure(description)),
        ("enumerations", "Enumerations", rows::enumerations(description)),
        ("units", "Units", rows::units(description)),
        ("experiment", "Default experiment", rows::experiment(description)),
        ("log", "Log categories", rows::log_categories(description)),
    ] {
        sections.extend(content.map(|content| (anchor, title, content)));
    }
    let links: String =
        sections.iter().map(|(anchor, title, _)| format!("<a href=\"#{anchor}\">{title}</a>\n")).collect();
    let body: String = sections
        .iter()
        .map(|(anchor, title, content)| format!("<section id=\"{anchor}\">\n<h2>{title}</h2>\n{content}</section>\n"))
        .collect();
    let name = escape(&description.name);
    let summary = escape(&description.description);
    let component = escape(&description.component);
    let versions: Vec<String> = description
        .versions
        .iter()
        .map(|(package, version)| format!("{} {}", escape(package), escape(version)))
        .collect();
    let version = match standard {
        Standard::Fmi2 => "2.0",
        Standard::Fmi3 => "3.0",
    };
    let interfaces = match description.input_with_derivatives() {
        Some(_) => "Co-Simulation",
        None => "Model Exchange and Co-Simulation",
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{name}</title>\n<style>\n{style}</style>\n</head>\n<body>\n\
         <header>\n<div class=\"icon\">{icon}</div>\n<div>\n<h1>{name}</h1>\n<p>{summary}</p>\n\
         <p>Component {component}, FMI {version} for {interfaces}</p>\n</div>\n</header>\n\
         <nav>\n{links}</nav>\n{body}\
         <footer>{versions}<br>GUID {guid}<br>Written by {GENERATOR}</footer>\n</body>\n</html>\n",
        style = include_str!("style.css"),
        icon = inline(&description.icon),
        versions = versions.join(", "),
        guid = escape(&description.guid),
    )
}

/// Returns the section with the parts of a system.
fn schematic(description: &Description) -> Option<(&'static str, &'static str, String)> {
    let drawing = schematic::svg(&description.structure)?;
    Some(("schematic", "Schematic", format!("<div class=\"pictures\">{drawing}</div>\n")))
}

/// Returns the section with the diagrams of tables and curves, if there are any.
fn pictures(description: &Description) -> Option<(&'static str, &'static str, String)> {
    let drawing = svg(&description.pictures)?;
    let note = "<p>The tables as the FMU interpolates them: dots are the rows; lines are pale where the FMU \
                extrapolates.</p>\n";
    Some(("tables", "Tables", format!("{note}<div class=\"pictures\">{}</div>\n", inline(&drawing))))
}

/// Returns the drawing without a prologue such as an XML declaration.
fn inline(svg: &str) -> &str {
    svg.find("<svg").map_or("", |start| svg[start..].trim_end())
}

/// Converts a component's text to HTML.
pub(crate) fn article(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_SUPERSCRIPT | Options::ENABLE_SUBSCRIPT;
    // A "<" in a formula is never HTML.
    let events = Parser::new_ext(markdown, options).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        // The page has the first two levels.
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Event::Start(Tag::Heading { level: below(level), id, classes, attrs })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(below(level))),
        other => other,
    });
    let mut page = String::from("<article>\n");
    html::push_html(&mut page, events);
    page + "</article>\n"
}

fn below(level: HeadingLevel) -> HeadingLevel {
    HeadingLevel::try_from(level as usize + 2).unwrap_or(HeadingLevel::H6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn the_page_shows_every_variable_and_option() {
        let page = documentation(&example::description(), Standard::Fmi2);
        for part in [
            "<title>FrontSpring</title>", "<div class=\"icon\"><svg", "<code>f = c s\n</code>",
            "force &lt;b&gt;on&lt;/b&gt; a", "<h3>Spring</h3>", "soft, stiff (rigid means stiff)", "<code>c[2]</code>",
            "<code>table[2,2]</code>", "[1000, 2000]", "[[0, 0], [1, 10]]", "<code>useHeatPort</code>",
            "<code>form</code>", "<code>frame",
        ] {
            let shown = page.contains(part);
            assert_eq!(shown, part != "<code>frame", "{part}");
        }
        assert!(!page.contains("<code>c[1]"));
        assert!(!page.contains("http://") || page.contains("http://www.w3.org/2000/svg"));
    }

    #[test]
    fn every_tag_is_closed() {
        let page = documentation(&example::description(), Standard::Fmi2);
        for tag in ["table", "tr", "td", "th", "section", "code", "div", "article", "thead", "tbody"] {
            let count = |text: &str| page.matches(text).count();
            let opened = count(&format!("<{tag}>")) + count(&format!("<{tag} "));
            assert_eq!(opened, count(&format!("</{tag}>")), "{tag}");
        }
    }

    #[test]
    fn texts_are_escaped() {
        let mut description = example::description();
        description.description = "a < b & <script>".to_owned();
        let page = documentation(&description, Standard::Fmi2);
        assert!(page.contains("a &lt; b &amp; &lt;script&gt;"));
        assert_eq!(table::Cell::text("a<b").0, "<td>a&lt;b</td>");
    }
}
