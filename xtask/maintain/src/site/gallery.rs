//! The page of mechanisms, with what the site adds to it: thumbnails, and links to the motions.

use std::path::Path;

use anyhow::Result;

/// Page of mechanisms, whose commands give their motion.
pub const PAGE: &str = "docs/gallery.md";

/// Returns the options of the gallery's command for an FMU that give its motion.
pub fn motion_of<'a>(gallery: &'a str, name: &str) -> Option<Vec<&'a str>> {
    let (_, command) = gallery.split_once(&format!("/{name}.fmu "))?;
    let words: Vec<_> = command.split("\n\n").next()?.split_whitespace().collect();
    let pairs = words.windows(2).filter(|pair| ["--input", "--step", "--stop", "--set", "--show"].contains(&pair[0]));
    Some(pairs.flatten().copied().collect())
}

/// Adds thumbnails to the gallery, and links to the animations that there are.
pub fn complete(staged: &Path, playground: bool) -> Result<()> {
    let path = staged.join(PAGE);
    let page = fs_err::read_to_string(&path)?;
    let (head, sections) = page.split_once("\n## ").unwrap_or((&page, ""));
    let exists = |name: &str| staged.join(format!("animations/{name}.html")).exists();
    Ok(fs_err::write(
        path,
        format!("{head}\n{}\n{}", thumbnails(sections), with_motions(sections, exists, playground)),
    )?)
}

/// Returns the pictures of sections, small, each one a link to its section.
fn thumbnails(sections: &str) -> String {
    let thumbnail = |section: &str| {
        let title = section.lines().next()?;
        let picture = section.split_once("](gallery/")?.1.split_once(')')?.0;
        let anchor: String = title
            .to_lowercase()
            .chars()
            .filter_map(|letter| match letter {
                ' ' | '-' => Some('-'),
                letter => letter.is_alphanumeric().then_some(letter),
            })
            .collect();
        Some(format!("<a href=\"#{anchor}\"><img src=\"gallery/{picture}\" alt=\"\">{title}</a>\n"))
    };
    let all: String = sections.split("\n## ").filter_map(thumbnail).collect();
    format!("<div class=\"thumbnails\">\n{all}</div>\n")
}

/// Returns the sections with links to their motions: the animation, and, with a
/// playground, the example there.
fn with_motions(sections: &str, exists: impl Fn(&str) -> bool, playground: bool) -> String {
    let mut page = "## ".to_owned();
    let mut example = None;
    for line in sections.lines() {
        let named = line.split_once("../examples/").and_then(|(_, rest)| rest.split_once(".toml)"));
        example = named.map(|(file, _)| file.to_owned()).or(example);
        let fmu = line.split_once("simulate ").and_then(|(_, rest)| rest.split_once(".fmu"));
        if let Some((name, _)) = fmu.filter(|(name, _)| exists(name)) {
            page += &format!("[Play the motion](../animations/{name}.html)");
            if let Some(file) = example.as_ref().filter(|_| playground) {
                page += &format!(" · <a href=\"../playground/index.html#e={file}.toml\">Change it in the browser</a>");
            }
            page += "\n\n";
        }
        page += line;
        page.push('\n');
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gallery_says_how_a_mechanism_moves() {
        let page = "    cargo xtask simulate a/One.fmu --stop 2 --show x \\\n        --step 0.1 --plot p.svg\n\n    simulate a/Two.fmu --stop 3\n";
        assert_eq!(motion_of(page, "One").unwrap(), ["--stop", "2", "--show", "x", "--step", "0.1"]);
        assert_eq!(motion_of(page, "Two").unwrap(), ["--stop", "3"]);
        assert_eq!(motion_of(page, "Three"), None);
    }

    #[test]
    fn sections_get_thumbnails_and_links() {
        let sections = "Watt's linkage\n\nThe [`w.toml`](../examples/w.toml) moves.\n\n![a](gallery/w.svg)\n\n    m simulate W.fmu --stop 5\n";
        let expected = "<div class=\"thumbnails\">\n<a href=\"#watts-linkage\"><img src=\"gallery/w.svg\" alt=\"\">Watt's linkage</a>\n</div>\n";
        assert_eq!(thumbnails(sections), expected);
        let link = "[Play the motion](../animations/W.html) · <a href=\"../playground/index.html#e=w.toml\">Change it in the browser</a>\n\n    m simulate";
        let page = with_motions(sections, |name| name == "W", true);
        assert!(page.contains(link), "{page}");
        assert!(with_motions(sections, |_| true, false).contains("[Play the motion](../animations/W.html)\n"));
        assert!(!with_motions(sections, |_| false, true).contains("Play"));
    }
}
