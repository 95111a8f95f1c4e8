//! A file to be written: checked beforehand, and replaced in one step.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::archive::file_kind::FileKind;
use crate::error::Error;

/// Length of the random part of a draft's name.
const RANDOM: usize = 6;
const SUFFIX: &str = ".part";

/// A file that can be written. An existing one is kept until the new one is complete.
#[derive(Clone, Debug)]
pub struct Destination {
    /// The path as given by the user.
    path: PathBuf,
    /// The path without links.
    real: PathBuf,
}

impl Destination {
    /// Checks that there can be a file.
    ///
    /// # Errors
    ///
    /// When the path is a folder, a named pipe or a block device, its folder does not exist, or it is not writable.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let destination = Self { path: path.to_owned(), real: real(path) };
        #[cfg(unix)]
        if let Ok(present) = fs_err::metadata(path)
            && let Some(reason) = special_file(path, present.file_type())
        {
            return Err(destination.fail(reason));
        }
        match fs_err::metadata(path) {
            Ok(present) if present.is_dir() => return Err(destination.fail("it is a folder")),
            Ok(present) if present.permissions().readonly() => return Err(destination.fail("it is write-protected")),
            _ if destination.is_device() => {}
            // A file without a name leaves nothing behind.
            _ => drop(destination.beside(|folder| tempfile::tempfile_in(folder))?),
        }
        Ok(destination)
    }

    /// Checks that there can be a file, which does not exist yet, or may be replaced.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), and when there is a file that may not be replaced.
    pub fn create(path: &Path, force: bool) -> Result<Self, Error> {
        if path.exists() && !force {
            return Err(Error::Exists { path: path.to_owned() });
        }
        Self::new(path)
    }

    /// Rejects overwriting another file of the command. `what` is the option that is written, such as `--output`; the
    /// others have names like that, and paths if they are given.
    ///
    /// # Errors
    ///
    /// When one of the others is the same file.
    pub fn apart_from<'a>(
        self,
        what: &str,
        others: impl IntoIterator<Item = (&'a str, Option<&'a Path>)>,
    ) -> Result<Self, Error> {
        let mut given = others.into_iter().filter_map(|(other, path)| Some((other, path?)));
        match given.find(|(_, path)| self.is(path)) {
            Some((other, path)) => {
                Err(Error::Overwrite { text: format!("{what} would overwrite {other}"), path: path.to_owned() })
            }
            None => Ok(self),
        }
    }

    /// Rejects replacing a file of another kind. Devices have none.
    ///
    /// # Errors
    ///
    /// When there is such a file.
    pub fn of_kind(self, kind: FileKind) -> Result<Self, Error> {
        if !self.is_device() {
            kind.check_existing(&self.path)?;
        }
        Ok(self)
    }

    /// Returns true if another path refers to the same file, also by a hard link.
    fn is(&self, other: &Path) -> bool {
        // Opening a pipe would wait for its writer.
        let are_files = || self.real.is_file() && other.is_file();
        self.real == real(other) || are_files() && same_file::is_same_file(&self.real, other).unwrap_or(false)
    }

    /// Returns the path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if the file is written in place: devices, pipes, and the target of `/dev/stdout`.
    pub fn is_device(&self) -> bool {
        let leads_out = self.path.starts_with("/dev") && !self.real.starts_with("/dev");
        fs_err::metadata(&self.path).is_ok_and(|present| !present.is_file() || leads_out)
    }

    /// Writes the file; after a failure the old one is kept.
    ///
    /// # Errors
    ///
    /// Those of `content`, or when the disk is full.
    pub fn write(&self, content: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> Result<(), Error> {
        let fill = |file: &File| {
            let mut writer = BufWriter::new(file);
            content(&mut writer)?;
            writer.flush()
        };
        if self.is_device() {
            let device = fs_err::OpenOptions::new().append(true).open(&self.path)?;
            return fill(device.file()).map_err(|error| self.fail(error));
        }
        let draft = self.draft()?;
        let _present = Present::new(draft.path());
        fill(draft.as_file()).and_then(|()| draft.as_file().sync_all()).map_err(|error| self.fail(error))?;
        draft.persist(&self.real).map_err(|error| self.fail(error.error))?;
        self.remove_abandoned();
        Ok(())
    }

    /// Removes incomplete files before Ctrl-C or another signal ends the process.
    pub fn remove_drafts() {
        // Drafts that cannot be removed now may be removed by the next command.
        present().iter().for_each(|draft| drop(fs_err::remove_file(draft)));
    }

    /// Removes drafts of this file left by killed processes.
    fn remove_abandoned(&self) {
        let prefix = self.prefix();
        for entry in fs_err::read_dir(folder(&self.real)).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let random = name.to_str().and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(SUFFIX));
            let is_draft = random.is_some_and(|random| random.len() == RANDOM && !random.contains('.'));
            // Opening anything else may block; drafts that cannot be removed now may be removed later.
            if is_draft
                && entry.file_type().is_ok_and(|kind| kind.is_file())
                && let Ok(draft) = File::open(entry.path())
                && draft.try_lock().is_ok()
            {
                // The lock is held until the file is gone: its owner waits for the lock and then sees that it is gone.
                let _ = fs_err::remove_file(entry.path());
            }
        }
    }

    /// Returns the prefix of the names of drafts; truncated, since a name may have the maximum length.
    fn prefix(&self) -> String {
        let name = self.real.file_name().unwrap_or_default().to_string_lossy();
        format!(".{}.", name.chars().take(50).collect::<String>())
    }

    /// Makes an empty file next to the final place, which is removed unless it is moved there.
    fn draft(&self) -> Result<tempfile::NamedTempFile, Error> {
        let mut builder = tempfile::Builder::new();
        let prefix = self.prefix();
        builder.prefix(&prefix).rand_bytes(RANDOM).suffix(SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(PermissionsExt::from_mode(0o666));
        }
        loop {
            let draft = self.beside(|folder| builder.tempfile_in(folder))?;
            // Where files cannot be locked, abandoned ones are not removed.
            let _ = draft.as_file().lock();
            // Before it was locked, another process may have removed it as abandoned.
            if draft.path().exists() {
                return Ok(draft);
            }
        }
    }

    /// Makes a file in the folder of the final place.
    fn beside<F>(&self, make: impl FnOnce(&Path) -> io::Result<F>) -> Result<F, Error> {
        let folder = folder(&self.real);
        if !folder.is_dir() {
            return Err(self.fail(format_args!("there is no folder {}", folder.display())));
        }
        // The message omits the name of the draft, which means nothing to the user.
        make(folder).map_err(|error| self.fail(io::Error::from(error.kind())))
    }

    fn fail(&self, reason: impl std::fmt::Display) -> Error {
        Error::Write { path: self.path.clone(), reason: reason.to_string() }
    }
}

/// Returns the reason why a special file is refused, if it is: a named pipe waits for a reader, and the content of a
/// disk would be lost. Streams of the process (`/dev/stdout`, `/dev/fd/63`), terminals and `/dev/null` are written.
#[cfg(unix)]
fn special_file(path: &Path, kind: std::fs::FileType) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    let is_stream = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    match kind {
        _ if kind.is_block_device() => Some("it is a block device"),
        _ if kind.is_fifo() && !is_stream => Some("it is a named pipe; to write into a pipe, give /dev/stdout"),
        _ if kind.is_socket() && !is_stream => Some("it is a socket"),
        _ => None,
    }
}

/// The drafts being written, which must be removed at a signal.
static PRESENT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn present() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PRESENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A draft in the list, for the lifetime of this value.
struct Present(PathBuf);

impl Present {
    fn new(path: &Path) -> Self {
        present().insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        present().remove(&self.0);
    }
}

/// Returns the folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the path without links, also where there is no file yet.
fn real(path: &Path) -> PathBuf {
    let beside = || Some(fs_err::canonicalize(folder(path)).ok()?.join(path.file_name()?));
    fs_err::canonicalize(path).ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_is_beside_it_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        // Opening this would block until there is a writer.
        for name in ["pipe", ".out.csv.abcdef.part"] {
            let made = std::process::Command::new("mkfifo").arg(folder.path().join(name)).status();
            assert!(made.unwrap().success());
        }
        let file = folder.path().join("out.csv");
        Destination::new(&file).unwrap().write(|writer| writer.write_all(b"1")).unwrap();
        assert_eq!(fs_err::read(&file).unwrap(), b"1");
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_sockets_and_disks_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, socket] = ["pipe", "socket"].map(|name| folder.path().join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let expected = "it is a named pipe; to write into a pipe, give /dev/stdout";
        assert_eq!(refused(&pipe), format!("{}: cannot be written: {expected}", pipe.display()));
        assert_eq!(refused(&socket), format!("{}: cannot be written: it is a socket", socket.display()));
        let disk = fs_err::read_dir("/dev").unwrap().flatten().map(|entry| entry.path()).find(|path| {
            use std::os::unix::fs::FileTypeExt;
            fs_err::metadata(path).is_ok_and(|present| present.file_type().is_block_device())
        });
        if let Some(disk) = disk {
            assert_eq!(refused(&disk), format!("{}: cannot be written: it is a block device", disk.display()));
        }
    }

    #[test]
    fn a_hard_link_of_an_input_is_the_input() {
        let folder = tempfile::tempdir().unwrap();
        let [input, link] = ["in.csv", "link.csv"].map(|name| folder.path().join(name));
        fs_err::write(&input, "time,u\n").unwrap();
        fs_err::hard_link(&input, &link).unwrap();
        let result = Destination::new(&link).unwrap().apart_from("--output", [("--input", Some(input.as_path()))]);
        assert_eq!(result.unwrap_err().to_string(), format!("--output would overwrite --input, {}", input.display()));
    }

    #[test]
    fn a_file_of_another_kind_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs_err::write(&path, "[parameters]\n").unwrap();
        let message = Destination::new(&path).unwrap().of_kind(FileKind::Csv("time")).unwrap_err().to_string();
        let expected = "the existing file is not a table of this command, whose first column is time; delete it or \
                        choose another name";
        assert_eq!(message, format!("{}: cannot be written: {expected}", path.display()));
        Destination::new(Path::new("/dev/null")).unwrap().of_kind(FileKind::Png).unwrap();
    }

    fn refused(path: &Path) -> String {
        Destination::new(path).unwrap_err().to_string()
    }

    fn entries(folder: &Path) -> usize {
        fs_err::read_dir(folder).unwrap().count()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_below_dev_is_replaced_as_everywhere() {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let destination = Destination::new(&folder.path().join("out.csv")).unwrap();
        for content in ["first", "second"] {
            destination.write(|writer| writer.write_all(content.as_bytes())).unwrap();
        }
        assert_eq!(fs_err::read_to_string(destination.path()).unwrap(), "second");
    }

    #[test]
    fn what_cannot_be_written_is_told_beforehand() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(refused(path), format!("{}: cannot be written: it is a folder", path.display()));
        let nowhere = path.join("no/where.csv");
        let expected = format!("{}: cannot be written: there is no folder {}/no", nowhere.display(), path.display());
        assert_eq!(refused(&nowhere), expected);
        let file = path.join("file");
        fs_err::write(&file, "old").unwrap();
        let below = file.join("out.csv");
        assert!(refused(&below).starts_with(&format!("{}: cannot be written: ", below.display())));
        let mut permissions = fs_err::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs_err::set_permissions(&file, permissions).unwrap();
        assert_eq!(refused(&file), format!("{}: cannot be written: it is write-protected", file.display()));
        assert_eq!(entries(path), 1);
    }

    #[test]
    fn a_failure_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs_err::write(&path, "old").unwrap();
        let destination = Destination::new(&path).unwrap();
        let result = destination.write(|writer| {
            writer.write_all(b"new")?;
            Err(io::Error::other("out of ideas"))
        });
        assert_eq!(result.unwrap_err().to_string(), format!("{}: cannot be written: out of ideas", path.display()));
        assert_eq!(fs_err::read(&path).unwrap(), b"old");
        destination.write(|writer| writer.write_all(b"new")).unwrap();
        assert_eq!(fs_err::read(&path).unwrap(), b"new");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn a_draft_is_listed_as_long_as_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let destination = Destination::new(&folder.path().join("out.csv")).unwrap();
        let result = destination.write(|writer| {
            writer.write_all(b"half")?;
            let file = fs_err::read_dir(folder.path())?.next().unwrap()?;
            // Other tests have drafts of their own, so that not all can be removed here.
            assert!(present().contains(&real(&file.path())));
            Ok(())
        });
        result.unwrap();
        let own = |draft: &&PathBuf| draft.starts_with(folder.path());
        assert_eq!(present().iter().filter(own).count(), 0);
    }

    #[test]
    fn other_files_of_the_command_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("out.csv"), folder.path().join("in.csv"));
        fs_err::write(&path, "data").unwrap();
        let same = folder.path().join("./out.csv");
        let apart = |others: [&Path; 2]| {
            let [one, two] = others.map(Some);
            Destination::new(&path)
                .unwrap()
                .apart_from("--output", [("the FMU", one), ("--input", two), ("--plot", None)])
        };
        let message = apart([&other, &same]).unwrap_err().to_string();
        assert_eq!(message, format!("--output would overwrite --input, {}", same.display()));
        assert!(apart([&other, &other]).is_ok());
    }

    #[test]
    fn drafts_of_who_was_killed_are_removed_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        let abandoned = folder.path().join(".out.csv.aB3xY9.part");
        let others = [".out.csv.gz.aB3xY9.part", ".other.csv.aB3xY9.part", ".out.csv.part", ".out.csv.aB3xY9"];
        let others = others.map(|name| folder.path().join(name));
        for file in others.iter().chain([&abandoned]) {
            fs_err::write(file, "half").unwrap();
        }
        let destination = Destination::new(&path).unwrap();
        let present = destination.draft().unwrap();
        destination.write(|writer| writer.write_all(b"new")).unwrap();
        assert!(!abandoned.exists());
        assert!(present.path().exists() && others.iter().all(|file| file.exists()));
        drop(present);
        assert_eq!(entries(folder.path()), 5);
        let long = folder.path().join("ä".repeat(127));
        Destination::new(&long).unwrap().write(|writer| writer.write_all(b"new")).unwrap();
        assert!(long.exists());
    }

    /// Another writer may find a draft before it is locked.
    #[test]
    fn a_file_may_be_written_several_times_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let write = || {
            for _ in 0..100 {
                let destination = Destination::new(&folder.path().join("out.csv")).unwrap();
                destination.write(|writer| writer.write_all(b"new")).unwrap();
            }
        };
        std::thread::scope(|scope| (0..8).for_each(|_| drop(scope.spawn(write))));
        assert_eq!(entries(folder.path()), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_draft_is_not_named() {
        let expected = "/proc/out.csv: cannot be written: entity not found";
        assert_eq!(refused(Path::new("/proc/out.csv")), expected);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_a_device() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("out.csv"), folder.path().join("link.csv"));
        fs_err::write(&path, "old").unwrap();
        fs_err::os::unix::fs::symlink(&path, &link).unwrap();
        let destination = Destination::new(&link).unwrap();
        assert!(destination.is(&path) && destination.is(&folder.path().join("./out.csv")));
        assert!(!destination.is(&folder.path().join("other.csv")));
        destination.write(|writer| writer.write_all(b"new")).unwrap();
        assert_eq!(fs_err::read(&path).unwrap(), b"new");
        assert!(fs_err::symlink_metadata(&link).unwrap().is_symlink());
        Destination::new(Path::new("/dev/null")).unwrap().write(|writer| writer.write_all(b"gone")).unwrap();
        assert!(!fs_err::metadata("/dev/null").unwrap().is_file());
    }
}
