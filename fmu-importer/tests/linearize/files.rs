//! Files for other programs, read by these.

use std::io::Write as _;

use fmu_tests::finished::python;

use crate::Made;

/// Compares the files with the JSON file; SciPy is asked for where it is installed.
const SCRIPT: &str = r#"
import json, sys
import numpy as np
path = sys.argv[1]
j = json.load(open(path + "/linear.json"))
z = np.load(path + "/linear.npz")
def check(get, texts):
    for name in "ABCD":
        wanted = np.array(j[name], dtype=float).reshape(get(name).shape)
        assert np.array_equal(get(name), wanted), name
    for name, key in (("x", "states"), ("u", "inputs"), ("y", "outputs")):
        assert texts(name + "_names") == [c["name"] for c in j[key]], name
        assert texts(name + "_units") == [c["unit"] or "" for c in j[key]], name
        assert list(get(name + "0").ravel()) == [c["value"] for c in j[key]], name
    found = np.sort_complex(get("eigenvalues").ravel())
    wanted = np.sort_complex(np.array([complex(*m["eigenvalue"]) for m in j["modes"]]))
    assert np.array_equal(found, wanted)
    shapes = np.array([[complex(*v) for v in m["shape"]] for m in j["modes"]]).T
    assert np.array_equal(get("mode_shapes"), shapes)
    assert get("time").item() == j["time"] and texts("model") == [j["model"]]
check(lambda name: z[name], lambda name: list(z[name]))
a = np.array(j["A"])
values = [v for v in np.linalg.eigvals(a) if v.imag > 0]
wanted = [complex(*m["eigenvalue"]) for m in j["modes"]]
assert np.allclose(sorted(values, key=abs), wanted, rtol=1e-10)
try:
    import scipy.io, scipy.linalg
except ImportError:
    print("without SciPy")
    raise SystemExit
m = scipy.io.loadmat(path + "/linear.mat")
check(lambda name: m[name], lambda name: [str(cell[0]) if cell.size else "" for cell in m[name].ravel()])
assert m["__header__"].startswith(b"MATLAB 5.0 MAT-file")
rows = np.loadtxt(path + "/response.csv", delimiter=",", skiprows=1)
def stiffness(frequency):
    s = 2j * np.pi * frequency * np.eye(len(m["A"])) - m["A"]
    return 1 / (m["C"] @ scipy.linalg.solve(s, m["B"]) + m["D"]).item()
found = np.array([stiffness(row[0]) for row in rows])
assert np.allclose(abs(found), rows[:, 1], rtol=1e-10)
assert np.allclose(np.exp(1j * np.angle(found)), np.exp(1j * np.radians(rows[:, 2])), atol=1e-9)
print("with SciPy")
"#;

#[test]
fn numpy_and_scipy_read_what_the_json_file_says() {
    let made = Made::system(&crate::chain(3, true, 5e4, 2.0).replace("outputs = [\"m1.s\"]", "outputs = [\"m2.s\"]"));
    let text = fs_err::read_to_string(made.folder.path().join("system.toml")).unwrap();
    let made = Made::system(&(text + "[parts.push]\ntype = \"Force\"\nflange = \"m1.flange_a\"\n"));
    let [npz, mat, csv] = ["linear.npz", "linear.mat", "response.csv"].map(|name| made.path(name));
    let linear = made.linear(&["--output", &npz, "--output", &mat, "--response", &csv]);
    assert!(linear.said.contains(&format!("{npz}\n{mat}\n")), "{}", linear.said);
    let Some(mut python) = python() else { return };
    let output = python.args(["-c", SCRIPT]).arg(made.folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    if String::from_utf8_lossy(&output.stdout).trim() != "with SciPy" {
        // This bypasses the test runner, which shows the output of failing tests only.
        let _ = writeln!(std::io::stderr(), "skipped: no SciPy in target/python to read MAT files");
    }
}

/// The same command replaces its own files, and writes the same bytes.
#[test]
fn files_of_a_command_are_the_same_each_time() {
    let made = Made::system(&crate::chain(2, true, 5e4, 2.0));
    for name in ["a.json", "a.mat", "a.npz"] {
        let file = made.path(name);
        let written = || {
            made.linear(&["--output", &file]);
            fs_err::read(&file).unwrap()
        };
        assert_eq!(written(), written(), "{name}");
    }
}
