//! Bounding boxes of meshes: where their files are, and which points they have.

use std::path::{Path, PathBuf};

use fmu_runtime::{MAX_DATA_BYTES, read_limited};
use nalgebra::Vector3;

use super::collada;

/// Where packages of ROS are.
#[derive(Clone, Debug, Default)]
pub struct Packages {
    /// Folder of the URDF.
    pub folder: PathBuf,
    /// Names of packages with their folders.
    pub given: Vec<(String, PathBuf)>,
}

impl Packages {
    /// Returns the path of a mesh, if the file exists.
    pub fn find(&self, filename: &str) -> Option<PathBuf> {
        let Some(rest) = filename.strip_prefix("package://") else {
            let path = self.folder.join(filename.strip_prefix("file://").unwrap_or(filename));
            return path.is_file().then_some(path);
        };
        let (package, inside) = rest.split_once('/')?;
        let given = self.given.iter().filter(|(name, _)| name == package).map(|(_, folder)| folder.join(inside));
        // The folder of a package has its name, and is above the URDF, or beside a folder there.
        let folder = fs_err::canonicalize(&self.folder).unwrap_or_else(|_| self.folder.clone());
        let above = folder.ancestors().flat_map(|above| {
            let is_package = above.file_name().is_some_and(|name| name == package);
            [is_package.then(|| above.join(inside)), Some(above.join(rest))].into_iter().flatten()
        });
        given.chain(above).find(|path| path.is_file())
    }
}

/// Returns the smallest and the largest coordinates of a mesh in a file of the type .stl, .obj or .dae.
pub fn bounding_box(path: &Path) -> Result<[Vector3<f64>; 2], String> {
    let content = read_limited(path, MAX_DATA_BYTES)?;
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let points = match extension.as_str() {
        "stl" => of_stl(&content),
        "obj" => of_text(&content, "v"),
        "dae" => collada::points(&content)?,
        _ => return Err("only .stl, .obj and .dae files are read".to_owned()),
    };
    let mut points = points.into_iter();
    let first = points.next().ok_or("it has no points")?;
    Ok(points.fold([first; 2], |[least, most], point| [least.inf(&point), most.sup(&point)]))
}

/// Bytes of a binary .stl file before its triangles, and of each of these.
const STL_HEAD: usize = 84;
const STL_TRIANGLE: usize = 50;

/// Returns the corners of the triangles of a .stl file.
fn of_stl(content: &[u8]) -> Vec<Vector3<f64>> {
    let count = content.get(80..STL_HEAD).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    let size = count.map(|count| STL_HEAD as u64 + u64::from(count) * STL_TRIANGLE as u64);
    // A binary file may begin with "solid", too, so its size decides.
    if size != Some(content.len() as u64) {
        return of_text(content, "vertex");
    }
    // A normal precedes the corners.
    let corners = content[STL_HEAD..].chunks_exact(STL_TRIANGLE).flat_map(|triangle| triangle[12..48].chunks_exact(12));
    let number = |bytes: &[u8]| bytes.try_into().map_or(0.0, |bytes| f64::from(f32::from_le_bytes(bytes)));
    corners.map(|corner| Vector3::from_fn(|i, _| number(&corner[4 * i..4 * i + 4]))).collect()
}

/// Returns the points of lines that begin with a word.
fn of_text(content: &[u8], word: &str) -> Vec<Vector3<f64>> {
    let text = String::from_utf8_lossy(content);
    let point = |line: &str| {
        let mut words = line.split_whitespace();
        (words.next() == Some(word)).then_some(())?;
        let mut number = || words.next()?.parse().ok();
        Some(Vector3::new(number()?, number()?, number()?))
    };
    text.lines().filter_map(point).collect()
}
