//! The pages of the site in a browser: none may write to the console, and animations must draw.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use crate::checks::Check;
use xtask_compile::paths::files_below;

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The least part of the upper two thirds of an animation that is not background.
const DRAWN: f64 = 0.002;

/// Pages take about two seconds.
const LONGEST: Duration = Duration::from_secs(120);

fn browser() -> Option<&'static str> {
    BROWSERS
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
}

/// Opens every page.
pub fn check(site: &Path) -> Result<Vec<Check>> {
    let Some(browser) = browser() else {
        return Ok(vec![Check::passed("site"), Check::skipped("site in a browser", "chromium is not installed")]);
    };
    let mut pages = files_below(site)?;
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "html"));
    let looked = pages.par_iter().map(|page| {
        let name = page.strip_prefix(site).unwrap_or(page).display().to_string();
        Check::of(&name, look(browser, page, name.starts_with("animations")))
    });
    Ok(looked.collect())
}

/// Opens a page; fails with what it writes to the console, or if it is to draw and does not.
fn look(browser: &str, page: &Path, draws: bool) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let picture = folder.path().join("page.png");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--enable-unsafe-swiftshader", "--enable-logging=stderr"]);
    // In containers, the memory that processes share is small.
    command.arg("--disable-dev-shm-usage");
    command.args(["--virtual-time-budget=3000", "--window-size=900,700"]);
    command.arg(format!("--user-data-dir={}", folder.path().display()));
    command.arg(format!("--screenshot={}", picture.display())).arg(page);
    let said = said(&mut command, &folder.path().join("said.txt")).with_context(|| format!("cannot run {browser}"))?;
    // The driver that draws without a graphics card prints messages.
    let console = said.lines().filter(|line| line.contains(":CONSOLE:") && !line.contains("GL Driver Message"));
    let console: Vec<_> = console.collect();
    if !console.is_empty() {
        bail!("{}", console.join("\n"));
    }
    if !picture.exists() {
        bail!("{browser} shows nothing: {said}");
    }
    if draws && drawn(&picture)? < DRAWN {
        bail!("the animation draws nothing");
    }
    Ok(())
}

/// Runs a command that may take a limited time; gives what it wrote to the standard error, by way of a file.
fn said(command: &mut Command, file: &Path) -> Result<String> {
    let mut child = command.stdout(Stdio::null()).stderr(fs_err::File::create(file)?.into_file()).spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > LONGEST {
            child.kill()?;
            bail!("it takes more than {} s", LONGEST.as_secs());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(String::from_utf8_lossy(&fs_err::read(file)?).into_owned())
}

/// The part of the upper two thirds of a picture that has another colour than its corner.
fn drawn(picture: &Path) -> Result<f64> {
    let mut reader = png::Decoder::new(std::io::BufReader::new(fs_err::File::open(picture)?)).read_info()?;
    let mut content = vec![0; reader.output_buffer_size().context("a picture of ordinary size")?];
    let info = reader.next_frame(&mut content)?;
    let pixels = content[..info.buffer_size() / 3 * 2].chunks_exact(info.color_type.samples());
    let all = pixels.len() as f64;
    Ok(pixels.filter(|pixel| *pixel != &content[..pixel.len()]).count() as f64 / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "expensive: opens a browser"]
    fn errors_of_a_page_and_an_empty_drawing_are_found() {
        let Some(browser) = browser() else {
            eprintln!("skipped: chromium is not installed");
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        let shown = |content: &str| {
            let page = folder.path().join("page.html");
            fs_err::write(&page, content).unwrap();
            look(browser, &page, true).unwrap_err().to_string()
        };
        let error = shown("<script>throw new Error('boom')</script>");
        assert!(error.contains("Uncaught Error: boom"), "{error}");
        assert_eq!(shown("<p style='margin-top: 500px'>text"), "the animation draws nothing");
    }
}
