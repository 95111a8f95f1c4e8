//! The picture of docs/linearize.md; its commands with output are run with those of the other pages.

use fmu_tests::finished::root;

use crate::lines::expect_alike;
use crate::{Made, printed};

#[test]
fn the_picture_is_the_one_that_the_command_draws() {
    let page = fs_err::read_to_string(root().join("docs/linearize.md")).unwrap().replace(" \\\n", " ");
    let command = page.lines().find(|line| line.contains("--plot docs/linearize-mount.svg")).unwrap();
    let (file, options) = command.trim().strip_prefix("cargo xtask linearize ").unwrap().split_once(' ').unwrap();
    let made = Made::example("engine-mount.toml");
    assert_eq!(file.rsplit('/').next(), made.file.file_name().unwrap().to_str());
    let [csv, svg] = ["stiffness.csv", "linearize-mount.svg"].map(|name| made.path(name));
    let options: Vec<&str> = options.split_whitespace().collect();
    let options: Vec<&str> = (options.iter())
        .map(|word| match *word {
            "stiffness.csv" => csv.as_str(),
            "docs/linearize-mount.svg" => svg.as_str(),
            word => word,
        })
        .collect();
    printed(&made.file, &options);
    expect_alike(&root().join("docs/linearize-mount.svg"), &fs_err::read_to_string(svg).unwrap());
    assert!(page.contains("](linearize-mount.svg)"));
}
