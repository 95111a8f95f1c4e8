//! Systems from a few lines of text.

use std::io::Write as _;
use std::path::Path;

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;
use systems::part::AnyPart;
use systems::system;

pub const INTERFACES: [Interface; 2] = [Interface::CoSimulation, Interface::ModelExchange];

/// Options whose values are numbers.
const COUNTS: [&str; 7] = ["nb", "na", "order", "nout", "nu2", "maxwell_T", "maxwell_R"];

/// Makes a system from lines with a part each: its name, its type, then options and connections (words), or parameters
/// (numbers, or tables as `table=0,1;2,3`), as `clutch Clutch flange_a=engine.flange_b cgeo=2`; or with `flows` or `steady` and its value.
pub fn train(interface: Interface, text: &str) -> Trial {
    train_with(interface, Vec::new(), text)
}

/// Makes a system from such lines, with tables: name, number of columns, and elements by rows.
pub fn train_with_tables(interface: Interface, tables: &[(&str, usize, Vec<f64>)], text: &str) -> Trial {
    // A line of the configuration for each.
    let mut lines = "false".to_owned();
    for (name, columns, elements) in tables {
        lines += &format!("\ntable {name} {} {columns}", elements.len() / columns);
        elements.iter().for_each(|element| lines += &format!(" {:016x}", element.to_bits()));
    }
    make(interface, Vec::new(), text, &[("steady", &lines)])
}

/// Makes a system from such lines, with types of parts besides the built-in ones.
pub fn train_with(interface: Interface, own: Vec<Box<dyn AnyPart>>, text: &str) -> Trial {
    make(interface, own, text, &[])
}

fn make(interface: Interface, own: Vec<Box<dyn AnyPart>>, text: &str, more: &[(&str, &str)]) -> Trial {
    let mut structure = Vec::new();
    let mut connections = Vec::new();
    let mut values = Vec::new();
    let mut tables = String::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(part) = words.next() else { continue };
        let word = words.next().expect("a type, or the value of an option of the system");
        structure
            .push((if ["flows", "steady"].contains(&part) { part.to_owned() } else { format!("{part}.type") }, word));
        for word in words {
            let (key, value) = word.split_once('=').expect("key=value");
            if ["table", "lossTable"].contains(&key) {
                tables += &table(&format!("{part}.{key}"), value);
                continue;
            }
            match value.parse::<f64>() {
                Ok(value) if !COUNTS.contains(&key) => values.push((format!("{part}.{key}"), value)),
                _ => connections.push((format!("{part}.{key}"), value)),
            }
        }
    }
    structure.append(&mut connections);
    let structure = structure.iter().map(|(option, word)| (option.as_str(), *word)).chain(more.iter().copied());
    let structure: String = structure.map(|(option, word)| format!("structure {option} {word}\n")).collect();
    let mut train = Trial::of_configuration(interface, system(own), &(structure + &tables));
    for (name, value) in values {
        train.set(&name, value);
    }
    train
}

/// Returns the line of a configuration with a table, written as `0,1;2,3`.
fn table(name: &str, rows: &str) -> String {
    let count = rows.split(';').count();
    let element = |word: &str| fmu_runtime::real_text(word.parse().expect("a number"));
    let elements: Vec<_> = rows.split([';', ',']).map(element).collect();
    format!("table {name} {count} {} {}\n", elements.len() / count, elements.join(" "))
}

/// Compares variables with numbers by hand.
pub fn check(train: &mut Trial, expected: &[(&str, f64)]) {
    for (name, expected) in expected {
        let found = train.real(name);
        assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{name}: {found} instead of {expected}");
    }
}

/// Returns lines of six joints that let the part at the last one move freely: along x, y, z, then about these, each
/// with its start values.
pub fn free(name: &str, starts: &str) -> String {
    let axes = ["n[1]=1 n[2]=0 n[3]=0", "n[1]=0 n[2]=1 n[3]=0", "n[1]=0 n[2]=0 n[3]=1"];
    let mut text = String::new();
    let mut before = "world.frame_b".to_owned();
    let starts: Vec<_> = starts.split(';').collect();
    for (i, joint) in ["x", "y", "z", "about_x", "about_y", "about_z"].iter().enumerate() {
        let (kind, axis) = (if i < 3 { "Prismatic" } else { "Revolute" }, axes[i % 3]);
        let start = starts.get(i).copied().unwrap_or_default();
        text += &format!("{name}_{joint} {kind} frame_a={before} {axis} {start}\n");
        before = format!("{name}_{joint}.frame_b");
    }
    text
}

/// Returns the rows of a published trajectory of the Modelica Standard Library, or says that they are absent.
pub fn published(name: &str) -> Option<Vec<Vec<f64>>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(4).expect("a folder around the project");
    let path = root.join(format!("shared/reference/msl/{name}.csv"));
    let Ok(text) = std::fs::read_to_string(&path) else {
        let _ = writeln!(std::io::stderr(), "skipped: {} is absent", path.display());
        return None;
    };
    let row = |line: &str| line.split(',').map(|cell| cell.parse().expect("a number")).collect();
    Some(text.lines().skip(1).map(row).collect())
}

/// Steps through rows of a published trajectory, whose first column is time, and checks each of them but the second one of an
/// event; returns the time of the last one.
pub fn follow<'r>(
    train: &mut Trial,
    rows: impl IntoIterator<Item = &'r Vec<f64>>,
    mut check: impl FnMut(&mut Trial, &[f64]),
) -> f64 {
    let (mut time, mut begins) = (0.0, true);
    for row in rows {
        if row[0] > time {
            train.step(row[0] - time);
            time = row[0];
        } else if !begins {
            continue;
        }
        begins = false;
        check(train, row);
    }
    time
}

/// Returns the range of the values in a column of a published trajectory.
pub fn range(rows: &[Vec<f64>], column: usize) -> f64 {
    let values = || rows.iter().map(|row| row[column]);
    values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
}
