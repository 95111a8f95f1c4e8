//! Pages as users of the Python package read them: with its command in place of that of a clone, and with the files that it
//! brings.

mod shipped;

use std::ops::Range;

use anyhow::{Result, bail};
use clap::Subcommand;
use fmu_commands::import::Import;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use xtask::source::Options;

pub use shipped::Shipped;

/// File of the site's settings, which list the pages.
pub const SETTINGS: &str = "docs/site.toml";

/// Comment in the settings of the site behind which the pages for developers are.
const DEVELOPERS: &str = "# For developers.";

/// Words of a clone that pages for users do not have, in code or elsewhere.
const OF_A_CLONE: [&str; 3] = ["cargo ", "target/", "a clone"];

/// The command of the package.
const COMMAND: &str = "mechanical-fmus";

/// Commands that the package has beside those that it shares with a clone.
const OWN_COMMANDS: [&str; 4] = ["completion", "docs", "examples", "help"];

/// Line below the title of pages whose code has examples.
const HINT: &str = "Here `mechanical-fmus examples` has copied the package's examples into the folder `examples`.";

/// Returns the names of the pages for users of the Python package, by the settings of the site.
pub fn pages(settings: &str) -> impl Iterator<Item = &str> {
    let users = settings.split(DEVELOPERS).next().unwrap_or_default();
    users.split('"').skip(1).step_by(2).filter(|name| name.ends_with(".md"))
}

/// Returns a page with the commands and files of the Python package; fails if it has others of a clone.
pub fn translate(page: &str, text: &str, shipped: &Shipped) -> Result<String> {
    let (mut translated, mut end, mut has_examples) = (String::new(), 0, false);
    for Range { start, end: behind } in code(text) {
        translated += &text[end..start];
        for line in text[start..behind].split_inclusive('\n') {
            let line = shipped.translate(line);
            let unknown = unknown_command(&line).map(|word| format!("{COMMAND} {word}"));
            if let Some(unknown) = unknown.or(shipped.missing(&line).map(str::to_owned)) {
                let number = translated.matches('\n').count() + 1;
                bail!("{page}:{number}: users of the Python package do not have {unknown}");
            }
            has_examples |= line.contains("examples/");
            translated += &line;
        }
        end = behind;
    }
    translated += &text[end..];
    for (index, line) in translated.lines().enumerate() {
        if let Some(words) = OF_A_CLONE.iter().find(|words| line.contains(**words)) {
            bail!("{page}:{}: users of the Python package do not have {}", index + 1, words.trim_end());
        }
    }
    Ok(match translated.split_once("\n\n") {
        Some((title, text)) if has_examples => format!("{title}\n\n{HINT}\n\n{text}"),
        _ => translated,
    })
}

/// Returns the places of code in a page, in order.
fn code(page: &str) -> Vec<Range<usize>> {
    let (mut places, mut inside) = (Vec::new(), false);
    for (event, place) in Parser::new(page).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => inside = true,
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(_) if inside => places.push(place),
            Event::Code(_) => places.push(place),
            _ => {}
        }
    }
    places
}

/// Returns the word behind the command's name that is none of its commands.
fn unknown_command(code: &str) -> Option<&str> {
    let program = fmu_commands::Command::<Options>::augment_subcommands(clap::Command::new(COMMAND));
    let program = Import::augment_subcommands(program);
    let is_known = |word: &str| {
        OWN_COMMANDS.contains(&word) || program.get_subcommands().any(|command| command.get_name() == word)
    };
    let behind = code.split(COMMAND).skip(1).filter_map(|rest| rest.strip_prefix(' '));
    let mut words = behind.filter_map(|rest| rest.split(|letter: char| !letter.is_alphanumeric()).next());
    words.find(|word| word.starts_with(char::is_alphabetic) && !is_known(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn users(page: &str) -> Result<String> {
        translate("docs/a.md", page, &Shipped::new()?)
    }

    #[test]
    fn commands_of_a_clone_become_those_of_the_package() {
        let page = "# A\n\n```console\n$ cargo xtask build --config a.toml --out target/fmu/systems\n file               bytes\n \
                    target/fmu/A.fmu   1\n```\ncompiled in 1 s\n`cargo xtask ssp target/A.ssp`\n";
        let expected = "# A\n\n```console\n$ mechanical-fmus build --config a.toml\n file               bytes\n \
                        A.fmu              1\n```\ncompiled in 1 s\n`mechanical-fmus ssp A.ssp`\n";
        assert_eq!(users(page).unwrap(), expected);
    }

    #[test]
    fn files_of_a_clone_become_examples_and_pictures_are_written_here() {
        let page = "# A\n\nFirst\n\n    cargo xtask sweep docs/clutch-sweep.toml --input models/clutch/reference/engagement.csv \\\n\
                    \x20       --plot docs/gallery/a.svg\n\n[a](../docs/fit.md) `input = \"../models/joint-usr/reference/motion.csv\"`\n";
        let expected = format!(
            "# A\n\n{HINT}\n\nFirst\n\n    mechanical-fmus sweep examples/clutch-sweep.toml --input examples/clutch/engagement.csv \\\n\
             \x20       --plot a.svg\n\n[a](../docs/fit.md) `input = \"../examples/joint-usr/motion.csv\"`\n"
        );
        assert_eq!(users(page).unwrap(), expected);
    }

    #[test]
    fn what_only_a_clone_has_is_named_with_its_line() {
        let refused = |page: &str| users(page).unwrap_err().to_string();
        let without = |what: &str| format!("docs/a.md:2: users of the Python package do not have {what}");
        assert_eq!(refused("First\n`cargo xtask test` checks it"), without("mechanical-fmus test"));
        assert_eq!(refused("First\n`mechanical-fmus wheel`"), without("mechanical-fmus wheel"));
        assert_eq!(refused("First\n`simulate --input tests/a.csv`"), without("tests/a.csv"));
        assert_eq!(refused("First\n`build --config examples/no.toml`"), without("examples/no.toml"));
        assert_eq!(refused("First\ncargo is needed"), without("cargo"));
        assert_eq!(refused("First\nin a clone"), without("a clone"));
        let page = "First\n\n```console\n$ cargo xtask list\n$ python3 models/no.py\n```\n";
        assert_eq!(refused(page), "docs/a.md:5: users of the Python package do not have models/no.py");
    }

    #[test]
    fn the_settings_tell_users_from_developers() {
        let settings = "{ \"A\" = \"docs/a.md\" },\n# For developers.\n{ \"B\" = \"docs/b.md\" }";
        assert_eq!(pages(settings).collect::<Vec<_>>(), ["docs/a.md"]);
    }
}
