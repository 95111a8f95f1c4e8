//! Files that components read: found, limited in size, checked, and kept.

use std::any::Any;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fmu_exchange::{DECLARES, MAX_DATA_BYTES, Picture, fingerprint, read_limited};

/// The files that an instance reads.
///
/// A component prepares its parameters again whenever one of them was set; the data from a file
/// are cached, so that it is not read again.
#[derive(Default)]
pub struct Files {
    resources: Option<PathBuf>,
    build: bool,
    kept: RefCell<Vec<CachedFile>>,
    /// All warnings, and the number of those that were taken.
    warnings: RefCell<(Vec<String>, usize)>,
    /// Pictures for the documentation page of an FMU that is being built.
    pictures: RefCell<Vec<Picture>>,
}

struct CachedFile {
    path: PathBuf,
    part: String,
    content: Content,
}

/// Data that a component made of a file.
type Content = Arc<dyn Any + Send + Sync>;

impl Files {
    /// Returns the files of an FMU with this resources folder.
    pub fn new(resources: Option<PathBuf>) -> Self {
        Self { resources, ..Self::default() }
    }

    /// Returns the files of an FMU that is being built.
    pub fn of_build(resources: Option<PathBuf>) -> Self {
        Self { build: true, ..Self::new(resources) }
    }

    /// Returns true if the FMU is being built.
    pub fn is_build(&self) -> bool {
        DECLARES && self.build
    }

    /// Clears everything that was read, and the warnings.
    pub fn forget(&mut self) {
        self.kept.get_mut().clear();
        *self.warnings.get_mut() = Default::default();
    }

    /// Adds a warning, unless it was given before.
    pub fn warn(&self, message: String) {
        let (messages, _) = &mut *self.warnings.borrow_mut();
        if !messages.contains(&message) {
            messages.push(message);
        }
    }

    /// Returns the warnings that were not taken yet.
    pub fn warnings(&self) -> Vec<String> {
        let (messages, taken) = &mut *self.warnings.borrow_mut();
        messages[std::mem::replace(taken, messages.len())..].to_vec()
    }

    /// Adds a picture to the page of an FMU that is being built.
    pub fn show(&self, picture: Picture) {
        self.pictures.borrow_mut().push(picture);
    }

    /// Returns the pictures so far.
    pub fn into_pictures(self) -> Vec<Picture> {
        self.pictures.into_inner()
    }

    /// Returns the result of `read` for name and content of a file in the resources, whose SHA-256 is checked.
    pub fn attachment<V: Send + Sync + 'static>(
        &self,
        name: &str,
        expected: &str,
        part: &str,
        read: impl FnOnce(&str, &[u8]) -> Result<V, String>,
    ) -> Result<Arc<V>, String> {
        let path = self.in_resources(name)?;
        self.kept(&path, part, |content| {
            let found = fingerprint(content);
            if found == expected {
                return read(name, content);
            }
            Err(format!("{name} was changed after the FMU was built: its SHA-256 is {found}, not {expected}"))
        })
    }

    /// Returns the result of `read` for path and content of a file.
    pub fn file<V: Send + Sync + 'static>(
        &self,
        path: &str,
        part: &str,
        read: impl FnOnce(&str, &[u8]) -> Result<V, String>,
    ) -> Result<Arc<V>, String> {
        if path.is_empty() {
            return Err("the path of a file is needed, absolute or relative to the FMU's resources".to_owned());
        }
        let place = if Path::new(path).is_absolute() { path.into() } else { self.in_resources(path)? };
        self.kept(&place, part, |content| read(path, content))
    }

    fn in_resources(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.resources.as_ref();
        folder.map(|folder| folder.join(name)).ok_or_else(|| {
            format!("{name} cannot be read: it is relative to the FMU's resources, and these were not found")
        })
    }

    fn kept<V: Send + Sync + 'static>(
        &self,
        path: &Path,
        part: &str,
        read: impl FnOnce(&[u8]) -> Result<V, String>,
    ) -> Result<Arc<V>, String> {
        if let Some(content) = self.known(path, part).and_then(|content| content.downcast().ok()) {
            return Ok(content);
        }
        let content = Arc::new(read(&read_limited(path, MAX_DATA_BYTES)?)?);
        self.keep(path, part, content.clone());
        Ok(content)
    }

    // These are compiled once, not for each type of data.
    #[inline(never)]
    fn known(&self, path: &Path, part: &str) -> Option<Content> {
        let kept = self.kept.borrow();
        kept.iter().find(|kept| kept.path == path && kept.part == part).map(|kept| kept.content.clone())
    }

    #[inline(never)]
    fn keep(&self, path: &Path, part: &str, content: Content) {
        self.kept.borrow_mut().push(CachedFile { path: path.to_owned(), part: part.to_owned(), content });
    }
}
