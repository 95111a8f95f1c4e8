//! Co-simulation of two FMUs in an algebraic loop, by fixed-point iteration and by Newton's method.
//!
//! `cargo run -p fmu-tests --example algebraic_loops -- docs/algebraic-loops.svg` runs both and draws the
//! picture; docs/algebraic-loops.md explains it.

mod crank;
mod master;
mod part;
mod picture;

use std::path::Path;

use anyhow::{Context, Result};
use fmu_builder::Destination;
use fmu_importer::plot;
use fmu_tests::finished::archive;

use master::{Method, run};

fn main() -> Result<()> {
    let output = std::env::args_os().nth(1).context("where shall the picture go?")?;
    let output = Destination::new(Path::new(&output))?;
    let files = [archive("brake"), archive("joint-ssr")];
    let files = [files[0].as_path(), files[1].as_path()];
    let [newton, gauss_seidel] =
        [Method::Newton, Method::GaussSeidel].map(|method| run(files, method, master::STEP, master::STOP));
    let (newton, gauss_seidel) = (newton?, gauss_seidel?);
    for (name, points) in [("Newton", &newton), ("Gauss-Seidel", &gauss_seidel)] {
        let most = points.iter().map(|point| point.iterations).max().unwrap_or_default();
        let last = points.last().context("no solution at the start")?;
        println!("{name}: at most {most} iterations in {} steps, up to {:.3} s", points.len() - 1, last.time);
        println!("  there the inertia ratio is {:.3}", last.ratio);
    }
    let trajectory = picture::trajectory(&newton, &gauss_seidel);
    plot::save(&trajectory, picture::TITLE, &picture::CURVES.map(str::to_owned), &output)?;
    Ok(())
}
