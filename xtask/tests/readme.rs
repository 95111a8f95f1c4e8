//! The commands in the README and in docs/ give the output shown; `…` stands for any text within a line.

use std::process::Command;

#[allow(dead_code)]
mod support;

use support::{blocks, commands, run_xtask};
use xtask::paths::root;

/// Pages with commands and their output.
const PAGES: [&str; 6] =
    ["README.md", "docs/configuration.md", "docs/simulation.md", "docs/linearize.md", "docs/fit.md", "docs/systems.md"];

fn page(path: &str) -> String {
    fs_err::read_to_string(root().join(path)).unwrap()
}

#[test]
fn the_commands_give_the_output_shown() {
    let pages = PAGES.map(page);
    let all = pages.iter().flat_map(|page| blocks(page));
    let mut count = 0;
    for (_, block) in all.filter(|(language, _)| language == "console") {
        for (command, expected) in commands(&block) {
            run_xtask(root(), &command, &expected);
            count += 1;
        }
    }
    assert!(count >= 4, "found {count} commands");
}

#[cfg(unix)]
#[test]
#[ignore = "expensive: compiles a component in a copy"]
fn a_clone_leads_to_ones_own_fmu() {
    let counts = support::Sandbox::new().carry_out(&page("docs/your-own-fmu.md"));
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

/// The TOML examples of the pages make FMUs.
#[test]
#[ignore = "expensive: builds all configurations of the pages"]
fn the_configurations_shown_can_be_built() {
    let folder = tempfile::tempdir().unwrap();
    // Attached files are in the same folder.
    for data in ["measured_stiffness.xlsx", "measured_forces.xlsx"] {
        fs_err::copy(root().join("models/bushing/reference").join(data), folder.path().join(data)).unwrap();
    }
    fs_err::write(folder.path().join("cycle.csv"), "t [s],torque [N.m],pedal\n0,0,0\n1,10,1\n").unwrap();
    let mut built = 0;
    let folders = fs_err::read_dir(root().join("models")).unwrap();
    let pages = folders.map(|folder| folder.unwrap().path().join("README.md")).filter(|page| page.exists());
    let docs = ["configuration.md", "systems.md", "short-files.md"].map(|page| root().join("docs").join(page));
    for page in docs.into_iter().chain(pages) {
        let text = fs_err::read_to_string(&page).unwrap();
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        xtask.arg("build").arg("--out").arg(folder.path().join("fmus"));
        let before = built;
        for block in text.split("```toml\n").skip(1) {
            let file = folder.path().join(format!("example-{built}.toml"));
            fs_err::write(&file, block.split("```").next().unwrap()).unwrap();
            xtask.arg("--config").arg(&file);
            built += 1;
        }
        if built > before {
            let output = xtask.output().unwrap();
            assert!(output.status.success(), "{}: {}", page.display(), String::from_utf8_lossy(&output.stderr));
        }
    }
    assert!(built >= 8, "found {built} configurations");
}

#[test]
fn the_scripts_for_python_are_on_their_pages() {
    for (text, script) in [("python", "measured_bushing"), ("explore", "casadi_bushing")] {
        let [text, script] =
            [format!("docs/{text}.md"), format!("python/examples/{script}.py")].map(|path| page(&path));
        assert!(text.contains(&format!("```python\n{script}```\n")));
    }
}
