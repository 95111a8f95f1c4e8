//! The modules of a crate and what each imports, read off the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::sources::texts_below;

/// Path of a module from the root of its crate.
type Module = Vec<String>;

/// The modules of a crate with their texts, without tests and comments.
pub struct Crate {
    modules: BTreeMap<Module, String>,
}

/// An import: a module, and the module from which it imports something.
pub type Import = (String, String);

impl Crate {
    /// Reads the crate whose sources are below this folder.
    pub fn read(source: &Path) -> Self {
        let mut modules = BTreeMap::new();
        for (path, text) in texts_below(source, &["rs"]) {
            let mut module: Module = path
                .strip_prefix(source)
                .unwrap()
                .with_extension("")
                .iter()
                .map(|part| part.to_string_lossy().into_owned())
                .collect();
            // Programs of their own are not modules of the library.
            if module[0] == "bin" {
                continue;
            }
            if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
                module.pop();
            }
            let text = without_tests(&without_comments(&text));
            modules.entry(module).or_insert_with(String::new).push_str(&text);
        }
        let for_tests: Vec<Module> = modules
            .iter()
            .flat_map(|(module, text)| {
                let names = text
                    .split("#[cfg(test)]")
                    .skip(1)
                    .filter_map(|rest| rest.trim_start().trim_start_matches("pub(crate) ").strip_prefix("mod "));
                names.map(|name| child(module, name.split(';').next().unwrap())).collect::<Vec<_>>()
            })
            .collect();
        modules.retain(|module, _| !for_tests.iter().any(|test| module.starts_with(test)));
        Self { modules }
    }

    /// Returns the imports between neighbours: modules in one folder, each with all that is inside, and the module that
    /// the folder belongs to.
    pub fn imports(&self) -> BTreeSet<Import> {
        let mut imports = BTreeSet::new();
        for (module, text) in &self.modules {
            for path in self.paths(module, text) {
                let target = self.definition(&path, 0);
                if target != *module && self.modules.contains_key(&target) {
                    imports.insert(neighbours(module, &target));
                }
            }
        }
        imports
    }

    /// Returns all paths in a module that begin with `crate`, `self`, `super` or one of its own modules, from the root.
    fn paths(&self, module: &Module, text: &str) -> Vec<Module> {
        let text = without_reexports(text);
        let mut paths = Vec::new();
        for word in words(&text) {
            let rest = &text[word.clone()];
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let after = &rest[name.len()..];
            if !after.starts_with("::") || text[..word.start].ends_with("::") || text[..word.start].ends_with('$') {
                continue;
            }
            let base = match name.as_str() {
                "crate" => Vec::new(),
                "self" => module.clone(),
                // In a module inside the file of the crate it is the crate.
                "super" => module[..module.len().saturating_sub(1)].to_vec(),
                _ if self.modules.contains_key(&child(module, &name)) => child(module, &name),
                _ => continue,
            };
            tree(&after[2..], base, &mut paths);
        }
        paths
    }

    /// Finds the module that defines the item of a path, through re-exports.
    fn definition(&self, path: &[String], depth: usize) -> Module {
        let length = (0..=path.len()).rev().find(|length| self.modules.contains_key(&path[..*length])).unwrap_or(0);
        let module = path[..length].to_vec();
        let Some(item) = path.get(length).filter(|_| depth < 8) else { return module };
        if item == "*" || self.defines(&module, item) {
            return module;
        }
        let text = &self.modules[&module];
        // A module in another folder, by `#[path]`.
        if text.contains(&format!("mod {item};")) {
            return child(&module, item);
        }
        for reexport in uses(text) {
            let mut found = Vec::new();
            tree_with_names(reexport, &mut found);
            for (name, target) in found {
                let target = self.absolute(&module, &target);
                if name == *item {
                    // An item of another crate keeps its path.
                    let own =
                        target.first().is_some_and(|first| self.modules.contains_key(std::slice::from_ref(first)));
                    return if own { self.definition(&target, depth + 1) } else { target };
                }
                if name == "*" && self.defines(&target[..target.len() - 1].to_vec(), item) {
                    return target[..target.len() - 1].to_vec();
                }
            }
        }
        module
    }

    fn absolute(&self, module: &Module, path: &[String]) -> Module {
        let (first, rest) = path.split_first().unwrap();
        let base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.clone(),
            // In a module inside the file of the crate it is the crate.
            "super" => module[..module.len().saturating_sub(1)].to_vec(),
            _ => child(module, first),
        };
        base.into_iter().chain(rest.iter().cloned()).collect()
    }

    fn defines(&self, module: &Module, item: &str) -> bool {
        let Some(text) = self.modules.get(module) else { return false };
        ["struct", "enum", "trait", "fn", "type", "const", "static", "macro_rules!"].iter().any(|keyword| {
            text.match_indices(&format!("{keyword} {item}"))
                .any(|(at, found)| !text[at + found.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    }
}

/// Returns the imports that are in a circle.
pub fn circles(imports: &BTreeSet<Import>) -> BTreeSet<Import> {
    let leads_back = |(from, to): &&Import| {
        let mut seen = BTreeSet::from([to]);
        let mut open = vec![to];
        while let Some(next) = open.pop() {
            open.extend(
                imports
                    .iter()
                    .filter(|(source, _)| source == next)
                    .map(|(_, target)| target)
                    .filter(|target| seen.insert(target)),
            );
        }
        seen.contains(from)
    };
    imports.iter().filter(leads_back).cloned().collect()
}

/// Returns the neighbours to which two modules belong.
fn neighbours(from: &Module, to: &Module) -> Import {
    let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    let name = |module: &Module| {
        let end = module.len().min(common + 1);
        if end == 0 {
            "crate".to_owned()
        } else if end == common {
            format!("{}::self", module.join("::"))
        } else {
            module[..end].join("::")
        }
    };
    (name(from), name(to))
}

fn child(module: &Module, name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// Returns the ranges of the words of a text, each with all that follows.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut before = ' ';
    let mut found = Vec::new();
    for (at, character) in text.char_indices() {
        if is_part(character) && !is_part(before) {
            found.push(at..text.len());
        }
        before = character;
    }
    found
}

/// Adds the paths of `a::{b, c::d}` behind a base.
fn tree(text: &str, base: Module, paths: &mut Vec<Module>) {
    let mut found = Vec::new();
    tree_at(text, &base, &mut found);
    paths.extend(found.into_iter().map(|(_, path)| path));
}

fn tree_with_names(text: &str, found: &mut Vec<(String, Module)>) {
    tree_at(text, &Vec::new(), found);
}

/// Reads a path or tree at the beginning of a text: names as which items are known, and their paths. Returns the rest
/// of the text.
fn tree_at<'a>(mut text: &'a str, base: &Module, found: &mut Vec<(String, Module)>) -> &'a str {
    let mut path = base.clone();
    loop {
        text = text.trim_start();
        if let Some(mut inner) = text.strip_prefix('{') {
            loop {
                inner = inner.trim_start();
                if let Some(rest) = inner.strip_prefix('}') {
                    return rest;
                }
                let next = tree_at(inner, &path, found);
                inner = next.trim_start().trim_start_matches(',');
                if next.is_empty() || inner.len() == next.len() && !inner.trim_start().starts_with('}') {
                    return "";
                }
            }
        }
        let length = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        let (name, rest) = if text.starts_with('*') { text.split_at(1) } else { text.split_at(length) };
        match name {
            "super" if path != *base || !base.is_empty() => {
                path.pop();
            }
            "self" if !path.is_empty() => {}
            _ => path.push(name.to_owned()),
        }
        if let Some(rest) = rest.strip_prefix("::") {
            text = rest;
            continue;
        }
        let mut known = path.last().cloned().unwrap_or_default();
        let mut rest = rest;
        if let Some(renamed) = rest.strip_prefix(" as ") {
            let length = renamed.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(renamed.len());
            known = renamed[..length].to_owned();
            rest = &renamed[length..];
        }
        found.push((known, path));
        return rest;
    }
}

const REEXPORTS: [&str; 3] = ["pub use ", "pub(crate) use ", "pub(super) use "];

/// Returns the imports and re-exports of a module, up to the end of each statement: others may name items by them.
fn uses(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').filter_map(|statement| {
        let (before, path) = statement.split_once("use ")?;
        before.trim_end_matches("pub ").trim_end_matches(|c: char| c != '\n').ends_with('\n').then_some(path)
    })
}

/// Removes re-exports, which are for other modules.
fn without_reexports(text: &str) -> String {
    let mut text = text.to_owned();
    for keyword in REEXPORTS {
        while let Some(at) = text.find(keyword) {
            let end = text[at..].find(';').map_or(text.len(), |length| at + length);
            text.replace_range(at..end, "");
        }
    }
    text
}

fn without_comments(text: &str) -> String {
    text.lines()
        .map(|line| match line.trim_start() {
            comment if comment.starts_with("//") => "",
            _ => line.split(" // ").next().unwrap_or_default(),
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Removes the tests within a file, which stand at its end.
fn without_tests(text: &str) -> String {
    text.split("\nmod tests {").next().unwrap_or_default().to_owned()
}
