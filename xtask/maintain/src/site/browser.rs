//! The pages of the site in a browser: none may write to the console, animations must draw, pages fit a phone and use a wide
//! screen, and the search finds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;

use super::narrow;
use crate::checks::Check;
use xtask::paths::{files, files_below};

/// Folder of the site with the page that builds and runs FMUs in the browser.
pub const PLAYGROUND: &str = "playground";

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Least fraction of the upper two thirds of an animation that is not background.
const MIN_DRAWN: f64 = 0.002;

/// Number of pages that are opened at once.
const FRAMES: usize = 20;

/// Number of animations that are opened at once: a browser draws at most 16.
const ANIMATIONS: usize = 10;

/// The layout of these pages is checked, and the search.
const LAYOUT: &str = include_str!("layout.html");

/// Pages with plots, and one of an FMU, on a phone.
const NARROW: [&str; 3] = ["docs/many-runs.html", "docs/gallery.html", OF_AN_FMU];

/// The page of an FMU.
const OF_AN_FMU: &str = "reference/Clutch/index.html";

/// Folder of drawings with labels.
const DRAWINGS: &str = "docs/gallery";

/// A search, and a page that it finds.
const SEARCH: (&str, &str) = ("bushing", "models/bushing/index.html");

/// Height of a page, in pixels.
const HEIGHT: usize = 350;

/// Time limit for a browser: pages take about two seconds, frames half a second each.
const TIMEOUT: Duration = Duration::from_secs(120);

fn browser() -> Option<&'static str> {
    BROWSERS
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
}

/// Opens every page of the site and checks it.
pub fn check(site: &Path) -> Result<Vec<Check>> {
    let Some(browser) = browser() else {
        return Ok(vec![Check::passed("site"), Check::skipped("site in a browser", "chromium is not installed")]);
    };
    let mut pages = files_below(site)?;
    // The playground needs a server, and has tests of its own.
    let playground = site.join(PLAYGROUND);
    pages
        .retain(|page| page.extension().is_some_and(|extension| extension == "html") && !page.starts_with(&playground));
    let name = |page: &PathBuf| page.strip_prefix(site).unwrap_or(page).display().to_string();
    let (drawings, texts): (Vec<_>, Vec<_>) =
        pages.iter().map(name).partition(|name: &String| name.starts_with("animations"));
    let groups = drawings.chunks(ANIMATIONS).map(|names| (names, true));
    let groups: Vec<_> = groups.chain(texts.chunks(FRAMES).map(|names| (names, false))).collect();
    let looked = groups.into_par_iter().flat_map_iter(|(names, draw)| {
        // Starting the browser takes longer than a page; only a problem needs each page alone.
        let alone = |name: &String| Check::of(name, look(browser, &site.join(name), usize::from(draw)));
        match look_at_frames(browser, site, names, draw) {
            Ok(()) => names.iter().map(Check::passed).collect::<Vec<_>>(),
            Err(_) => names.iter().map(alone).collect(),
        }
    });
    let mut checks: Vec<_> = looked.collect();
    let picture = site.with_file_name("layout.png");
    checks.push(Check::of("layout and search", look_at_layout(browser, site, &picture)));
    Ok(checks)
}

/// Opens pages on narrow and wide screens and searches; leaves a picture of it.
fn look_at_layout(browser: &str, site: &Path, picture: &Path) -> Result<()> {
    let page = tempfile::Builder::new().suffix(".html").tempfile_in(site)?;
    let narrow = NARROW.map(|name| format!("<iframe class=\"narrow\" width=\"390\" src=\"{name}\"></iframe>\n"));
    let mut drawings = files(&site.join(DRAWINGS), "svg")?;
    drawings.retain(|file| !["-plot.svg", narrow::ENDING].iter().any(|end| file.to_string_lossy().ends_with(end)));
    if drawings.is_empty() {
        bail!("{DRAWINGS} has no drawings");
    }
    let names = drawings.iter().filter_map(|file| file.strip_prefix(site).ok());
    let drawings = names.map(|name| format!("<iframe class=\"drawing\" src=\"{}\"></iframe>\n", name.display()));
    let (query, found) = SEARCH;
    let frames = format!(
        "{}{}<iframe class=\"wide\" width=\"1440\" src=\"{OF_AN_FMU}\"></iframe>\n<iframe width=\"1440\" src=\"index.html\" \
         data-query=\"{query}\" data-found=\"{found}\"></iframe>\n",
        narrow.concat(),
        drawings.collect::<String>()
    );
    fs_err::write(page.path(), LAYOUT.to_owned() + &frames)?;
    // Otherwise the page may not read what is in its frames.
    open(
        browser,
        page.path(),
        (2700, 2600),
        &["--allow-file-access-from-files", "--virtual-time-budget=30000"],
        picture,
    )
}

/// Opens pages of a site in frames of one page, which exists for that time, so that links to them are their names.
fn look_at_frames(browser: &str, site: &Path, names: &[String], draw: bool) -> Result<()> {
    let page = tempfile::Builder::new().suffix(".html").tempfile_in(site)?;
    let style = format!(
        "<style>body {{ margin: 0 }} iframe {{ width: 100%; height: {HEIGHT}px; border: 0; display: block }}</style>"
    );
    let frames = names.iter().map(|name| format!("<iframe src=\"{name}\"></iframe>\n"));
    fs_err::write(page.path(), style + &frames.collect::<String>())?;
    look(browser, page.path(), if draw { names.len() } else { 0 })
}

/// Opens a page with a number of animations, one below the other; fails with its messages on the console, or if an
/// animation draws nothing.
fn look(browser: &str, page: &Path, animations: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let picture = folder.path().join("page.png");
    open(browser, page, (900, HEIGHT * animations.max(1)), &["--virtual-time-budget=3000"], &picture)?;
    if drawn(&picture, animations)?.iter().any(|part| *part < MIN_DRAWN) {
        bail!("the animation draws nothing");
    }
    Ok(())
}

/// Opens a page in a window and takes a picture of it; fails with its messages on the console.
fn open(browser: &str, page: &Path, (width, height): (usize, usize), options: &[&str], picture: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--enable-unsafe-swiftshader", "--enable-logging=stderr"]);
    // In containers, the memory that processes share is small.
    command.arg("--disable-dev-shm-usage").args(options);
    command.arg(format!("--window-size={width},{height}"));
    command.arg(format!("--user-data-dir={}", folder.path().display()));
    command.arg(format!("--screenshot={}", picture.display())).arg(page);
    let said = said(&mut command, &folder.path().join("said.txt")).with_context(|| format!("cannot run {browser}"))?;
    // The driver that draws without a graphics card prints messages, and a frame may not take the focus.
    let harmless = |line: &&str| line.contains("GL Driver Message") || line.contains("Blocked autofocusing");
    let console: Vec<_> = said.lines().filter(|line| line.contains(":CONSOLE:") && !harmless(line)).collect();
    if !console.is_empty() {
        bail!("{}", console.join("\n"));
    }
    if !picture.exists() {
        bail!("{browser} shows nothing: {said}");
    }
    Ok(())
}

/// Runs a command that may take a limited time; returns its standard error, by way of a file.
fn said(command: &mut Command, file: &Path) -> Result<String> {
    let mut child = command.stdout(Stdio::null()).stderr(fs_err::File::create(file)?.into_file()).spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > TIMEOUT {
            child.kill()?;
            bail!("it takes more than {} s", TIMEOUT.as_secs());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(String::from_utf8_lossy(&fs_err::read(file)?).into_owned())
}

/// Returns the fraction of the upper two thirds of each animation that has another colour than its corner.
fn drawn(picture: &Path, animations: usize) -> Result<Vec<f64>> {
    let mut reader = png::Decoder::new(std::io::BufReader::new(fs_err::File::open(picture)?)).read_info()?;
    let mut content = vec![0; reader.output_buffer_size().context("a picture of ordinary size")?];
    let info = reader.next_frame(&mut content)?;
    let each = content.chunks_exact(HEIGHT * info.line_size).take(animations);
    ensure!(each.len() == animations, "the picture of {animations} animations has {} lines", info.height);
    let part = |content: &[u8]| {
        let pixels = content[..content.len() / 3 * 2].chunks_exact(info.color_type.samples());
        let all = pixels.len() as f64;
        pixels.filter(|pixel| *pixel != &content[..pixel.len()]).count() as f64 / all
    };
    Ok(each.map(part).collect())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    #[ignore = "expensive: opens a browser"]
    fn pages_that_do_not_fit_and_a_search_without_result_are_found() {
        let Some(browser) = browser() else {
            let _ = writeln!(std::io::stderr(), "skipped: chromium is not installed");
            return;
        };
        let site = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &str| {
            let page = site.path().join(name);
            fs_err::create_dir_all(page.parent().unwrap()).unwrap();
            fs_err::write(page, content).unwrap();
        };
        let plot = "<svg xmlns='http://www.w3.org/2000/svg' width='1000' height='9'/>";
        write("docs/plot.svg", plot);
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg'><text x='9' y='50'>one</text><text x='20' y='55'>two</text></svg>";
        write("docs/gallery/a.svg", drawing);
        write(NARROW[0], "<div style='width: 500px'>text");
        write(NARROW[1], "<picture><img src='plot.svg' style='width: 100%'></picture>");
        write(NARROW[2], "<section><div class='table'><table><td>text</table></div></section>");
        let search = "<button class='md-search__button'></button><div id='host'></div><script>const root = \
                      document.getElementById('host').attachShadow({ mode: 'open' }); root.innerHTML = '<input>LINK'</script>";
        write("index.html", search);
        let layout = || look_at_layout(browser, site.path(), &site.path().join("layout.png"));
        let error = layout().unwrap_err().to_string();
        for problem in [
            "docs/many-runs.html: has 508 pixels on a screen of 390",
            "docs/plot.svg is shown at 0.37",
            "docs/gallery/a.svg: one is on two",
            "reference/Clutch/index.html: tables have ",
            "index.html: a search for bushing does not find models/bushing/index.html",
        ] {
            assert!(error.contains(problem), "{problem}: {error}");
        }
        write(NARROW[0], "text");
        write("docs/plot.svg", &plot.replace("1000", "480"));
        write("docs/gallery/a.svg", &drawing.replace("55", "90"));
        write(NARROW[2], "<section><div class='table'><table style='width: 100%'><td>text</table></div></section>");
        write("index.html", &search.replace("LINK", "<a href=models/bushing/index.html>found</a>"));
        layout().unwrap();
    }

    #[test]
    #[ignore = "expensive: opens a browser"]
    fn errors_of_a_page_and_an_empty_drawing_are_found() {
        let Some(browser) = browser() else {
            let _ = writeln!(std::io::stderr(), "skipped: chromium is not installed");
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        let shown = |content: &str| {
            let page = folder.path().join("page.html");
            fs_err::write(&page, content).unwrap();
            look(browser, &page, 1).unwrap_err().to_string()
        };
        let error = shown("<script>throw new Error('boom')</script>");
        assert!(error.contains("Uncaught Error: boom"), "{error}");
        assert_eq!(shown("<p style='margin-top: 250px'>text"), "the animation draws nothing");
        // This path is no URI.
        let site = folder.path().join("no 1 of #2, 100%25");
        fs_err::create_dir(&site).unwrap();
        let pages = [
            ("fine.html", "<p style='font-size: 100px'>text"),
            ("bad.html", "<script>throw new Error('boom')</script>"),
        ];
        let names = pages.map(|(name, content)| {
            fs_err::write(site.join(name), content).unwrap();
            name.to_owned()
        });
        look_at_frames(browser, &site, &names[..1], false).unwrap();
        let error = look_at_frames(browser, &site, &names, false).unwrap_err().to_string();
        assert!(error.contains("Uncaught Error: boom"), "{error}");
        // Of two animations, one draws nothing.
        fs_err::write(site.join("bad.html"), "<p style='margin-top: 250px'>text").unwrap();
        look_at_frames(browser, &site, &names[..1], true).unwrap();
        let error = look_at_frames(browser, &site, &names, true).unwrap_err().to_string();
        assert_eq!(error, "the animation draws nothing");
    }
}
