//! Pages for users as the site shows them: with the command of the Python package in place of those of a clone.

use anyhow::{Result, bail};

/// Comment in the settings of the site behind which the pages for developers are.
const DEVELOPERS: &str = "# For developers.";

/// Folders of a clone for FMUs, the longest first. The command of the package writes into the current one.
const FOLDERS: [&str; 3] = ["target/fmu/systems/", "target/fmu/", "target/"];

/// Words of a clone that pages for users do not have.
const OF_A_CLONE: [&str; 4] = ["cargo ", "target/", "mechanical-fmus test", "a clone"];

/// True if a page is for users of the Python package, by the settings of the site.
pub fn is_for_users(page: &str, settings: &str) -> bool {
    let users = settings.split(DEVELOPERS).next().unwrap_or_default();
    users.contains(&format!("\"{page}\""))
}

/// Returns a page with the commands of the Python package; fails if it has others of a clone.
pub fn translate(page: &str, text: &str) -> Result<String> {
    let text: String = text.lines().map(|line| line_for_users(line) + "\n").collect();
    if let Some(line) = text.lines().find(|line| OF_A_CLONE.iter().any(|words| line.contains(words))) {
        bail!("{page} is for users, who have no clone of this project, but has the line: {line}");
    }
    Ok(text)
}

fn line_for_users(line: &str) -> String {
    let commands = line.replace(" --out target/fmu/systems", "").replace("cargo xtask", "mechanical-fmus");
    let mut short = FOLDERS.iter().fold(commands.clone(), |line, folder| line.replace(folder, ""));
    if line.starts_with(" target/fmu/") {
        // A row of a printed table keeps its columns.
        let end = short[1..].find(' ').map_or(short.len(), |end| 1 + end);
        short.insert_str(end, &" ".repeat(commands.len() - short.len()));
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_a_clone_become_those_of_the_package() {
        let page = "$ cargo xtask build --config a.toml --out target/fmu/systems\n file               bytes\n target/fmu/A.fmu   1\n\
                    compiled in 1 s\n`cargo xtask ssp target/A.ssp`\n";
        let users = "$ mechanical-fmus build --config a.toml\n file               bytes\n A.fmu              1\n\
                     compiled in 1 s\n`mechanical-fmus ssp A.ssp`\n";
        assert_eq!(translate("docs/a.md", page).unwrap(), users);
    }

    #[test]
    fn a_command_that_only_a_clone_has_is_named() {
        let error = translate("docs/a.md", "First\n`cargo xtask test` checks it").unwrap_err().to_string();
        let expected = "docs/a.md is for users, who have no clone of this project, but has the line: `mechanical-fmus test` \
                        checks it";
        assert_eq!(error, expected);
    }

    #[test]
    fn the_settings_tell_users_from_developers() {
        let settings = "{ \"A\" = \"docs/a.md\" },\n# For developers.\n{ \"B\" = \"docs/b.md\" }";
        assert_eq!(["docs/a.md", "docs/b.md"].map(|page| is_for_users(page, settings)), [true, false]);
    }
}
