//! The pages of the repository that the site shows.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use pulldown_cmark::{Event, Parser, Tag};

/// First page of the repository, in whose place the site has its own.
pub const README: &str = "README.md";

/// First page of the site.
const START: &str = "docs/start.md";

/// Copies the first pages and all pages to which links lead from them; returns the names of the pages.
pub fn copy(from: &Path, to: &Path) -> Result<BTreeSet<String>> {
    let (mut waiting, mut copied) = (vec![README.to_owned(), START.to_owned()], BTreeSet::new());
    while let Some(file) = waiting.pop() {
        if !copied.insert(file.clone()) {
            continue;
        }
        let content = fs_err::read(from.join(&file))?;
        if file.ends_with(".md") {
            let text = std::str::from_utf8(&content).with_context(|| format!("{file}: no UTF-8"))?;
            for link in links(text) {
                let target = beside(&file, &link);
                if !from.join(&target).is_file() {
                    bail!("{file}: the link {link} leads to no file");
                }
                waiting.push(target);
            }
        }
        let place = to.join(&file);
        fs_err::create_dir_all(place.parent().context("in a folder")?)?;
        fs_err::write(place, content)?;
    }
    let start = fs_err::read_to_string(to.join(START))?;
    fs_err::write(to.join(README), at_the_top(&start))?;
    fs_err::remove_file(to.join(START))?;
    copied.retain(|file| file.ends_with(".md") && file != START);
    Ok(copied)
}

/// Returns the first page as it is in the folder above its own.
fn at_the_top(page: &str) -> String {
    links(page)
        .into_iter()
        .collect::<BTreeSet<_>>()
        .iter()
        .fold(page.to_owned(), |page, link| page.replace(&format!("]({link}"), &format!("]({}", beside(START, link))))
}

/// Returns the links to other files, without anchors.
fn links(page: &str) -> Vec<String> {
    let targets = Parser::new(page).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    });
    let files = targets.filter(|target| !target.contains(':'));
    files.filter_map(|target| target.split('#').next().filter(|file| !file.is_empty()).map(str::to_owned)).collect()
}

/// Returns the path of a link on a page, from the first page on.
fn beside(page: &str, link: &str) -> String {
    let mut path: Vec<_> = page.split('/').collect();
    path.pop();
    for part in link.split('/') {
        match part {
            ".." => _ = path.pop(),
            "." => {}
            part => path.push(part),
        }
    }
    path.join("/")
}

/// Fails unless the navigation of the settings has each page.
pub fn expect_in_navigation(pages: &BTreeSet<String>, settings: &str) -> Result<()> {
    let missing: Vec<_> = pages.iter().filter(|page| !settings.contains(&format!("\"{page}\""))).cloned().collect();
    if !missing.is_empty() {
        bail!("the navigation of docs/site.toml lacks {}", missing.join(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_page_to_page() {
        let page = "[a](../b.md#c) ![d](e.svg) [f](https://g) [h](#i)\n\n    [no](link.md)\n\n`[no](link.md)`";
        assert_eq!(links(page), ["../b.md", "e.svg"]);
        assert_eq!(beside("models/brake/README.md", "../../docs/./a.md"), "docs/a.md");
        assert_eq!(beside("README.md", "LICENSE-MIT"), "LICENSE-MIT");
    }

    #[test]
    fn the_first_page_comes_to_the_top() {
        let page = "[![a](b.svg)\nc](../models/d.md) [e](f.md#g), [b](b.svg)";
        assert_eq!(at_the_top(page), "[![a](docs/b.svg)\nc](models/d.md) [e](docs/f.md#g), [b](docs/b.svg)");
    }

    #[test]
    fn a_dead_link_and_a_page_without_a_place_are_named() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("README.md"), "[a](docs/no.md)").unwrap();
        fs_err::create_dir(folder.path().join("docs")).unwrap();
        fs_err::write(folder.path().join("docs/start.md"), "").unwrap();
        let error = copy(folder.path(), &folder.path().join("to")).unwrap_err();
        assert_eq!(error.to_string(), "README.md: the link docs/no.md leads to no file");
        let error = expect_in_navigation(&["a.md".to_owned(), "b.md".to_owned()].into(), "A = \"a.md\"").unwrap_err();
        assert_eq!(error.to_string(), "the navigation of docs/site.toml lacks b.md");
    }
}
