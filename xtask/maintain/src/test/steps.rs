//! Steps in two lists side by side: numbered, timed, and none hidden by the failure of another.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use anyhow::Result;
use fmu_builder::console::note;

use crate::checks::Check;

/// A step: checks that are made together.
pub struct Step<'a> {
    name: &'static str,
    /// Names of the steps that must have passed before.
    needs: &'static [&'static str],
    /// Folders of `target/` in which no other step compiles.
    folders: &'static [&'static str],
    run: Box<dyn FnOnce() -> Result<Vec<Check>> + Send + 'a>,
}

impl<'a> Step<'a> {
    /// Makes a step with checks of its own.
    pub fn new(name: &'static str, run: impl FnOnce() -> Result<Vec<Check>> + Send + 'a) -> Self {
        Self { name, needs: &[], folders: &[], run: Box::new(run) }
    }

    /// Makes a step that is one check.
    pub fn one(name: &'static str, run: impl FnOnce() -> Result<()> + Send + 'a) -> Self {
        Self::new(name, move || run().map(|()| vec![Check::passed(name)]))
    }

    /// Makes the step wait for others, without which it makes no sense.
    pub fn after(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    /// Sets the folders of `target/` in which the step alone compiles.
    pub fn in_folders(self, folders: &'static [&'static str]) -> Self {
        Self { folders, ..self }
    }
}

/// Result of a step that was run.
pub struct Done {
    pub name: &'static str,
    pub seconds: f64,
    pub checks: Vec<Check>,
}

/// A run of steps, with the results so far.
pub struct Run {
    count: usize,
    begun: AtomicUsize,
    done: Mutex<Vec<Done>>,
    strict: bool,
    target: Option<PathBuf>,
}

impl Run {
    /// Makes a run of `count` steps; if it is `strict`, a skip is a failure.
    pub fn new(count: usize, strict: bool) -> Self {
        Self { count, begun: AtomicUsize::new(0), done: Mutex::default(), strict, target: None }
    }

    /// Makes the run remove the folders of a step from `target` once it has passed.
    pub fn without_leftovers(self, target: PathBuf) -> Self {
        Self { target: Some(target), ..self }
    }

    /// Runs steps one after the other.
    pub fn steps(&self, steps: Vec<Step<'_>>) {
        steps.into_iter().for_each(|step| self.step(step));
    }

    /// Runs two lists of steps side by side. When the first one is done, two steps of the second run at once.
    pub fn side_by_side(&self, one: Vec<Step<'_>>, other: Vec<Step<'_>>) {
        let other = Mutex::new(other.into_iter());
        let next = || other.lock().expect("nobody panics here").next();
        let help = || std::iter::from_fn(next).for_each(|step| self.step(step));
        thread::scope(|scope| {
            scope.spawn(help);
            self.steps(one);
            help();
        });
    }

    fn step(&self, Step { name, needs, folders, run }: Step<'_>) {
        let number = format!("{}/{} {name}", 1 + self.begun.fetch_add(1, Relaxed), self.count);
        note(&number);
        let start = Instant::now();
        let failed = |need: &&&str| self.done().iter().any(|done| done.name == **need && done.failures() > 0);
        let mut checks = match needs.iter().find(failed) {
            Some(need) => vec![Check::failed(name, format_args!("not run, since this step failed: {need}"))],
            None => run().unwrap_or_else(|error| vec![Check::failed(name, format_args!("{error:#}"))]),
        };
        if self.strict {
            checks.iter_mut().for_each(Check::refuse_skip);
        }
        if let (Some(target), false) = (&self.target, checks.iter().any(Check::has_failed)) {
            let mut there = folders.iter().map(|folder| target.join(folder)).filter(|folder| folder.exists());
            let removed = there.try_for_each(fs_err::remove_dir_all);
            checks.extend(removed.err().map(|error| Check::failed(name, error)));
        }
        let done = Done { name, seconds: start.elapsed().as_secs_f64(), checks };
        let verdict = match done.failures() {
            0 => "passed".to_owned(),
            failures => format!("{failures} failed"),
        };
        note(format_args!("{number}: {verdict} in {:.0} s", done.seconds));
        self.done().push(done);
    }

    fn done(&self) -> std::sync::MutexGuard<'_, Vec<Done>> {
        self.done.lock().expect("nobody panics here")
    }

    /// Returns the results of all steps.
    pub fn finish(self) -> Vec<Done> {
        self.done.into_inner().expect("nobody panics here")
    }
}

impl Done {
    fn failures(&self) -> usize {
        self.checks.iter().filter(|check| check.has_failed()).count()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use anyhow::bail;

    use super::*;

    fn outcomes(strict: bool) -> Vec<(&'static str, Vec<Check>)> {
        let run = Run::new(4, strict);
        run.side_by_side(
            vec![Step::one("bad", || bail!("three is not four")), Step::one("good", || Ok(())).after(&["other"])],
            vec![],
        );
        run.steps(vec![
            Step::one("dependent", || unreachable!("not run")).after(&["bad"]),
            Step::new("part", || Ok(vec![Check::skipped("printer", "there is none")])),
        ]);
        run.finish().into_iter().map(|done| (done.name, done.checks)).collect()
    }

    #[test]
    fn a_failing_step_hides_only_those_that_need_it() {
        let expected = [
            ("bad", vec![Check::failed("bad", "three is not four")]),
            ("good", vec![Check::passed("good")]),
            ("dependent", vec![Check::failed("dependent", "not run, since this step failed: bad")]),
            ("part", vec![Check::skipped("printer", "there is none")]),
        ];
        assert_eq!(outcomes(false), expected);
    }

    #[test]
    fn after_the_first_list_two_steps_of_the_second_run_at_once() {
        let (said, heard) = mpsc::channel();
        let run = Run::new(3, false);
        run.side_by_side(
            vec![Step::one("short", || Ok(()))],
            vec![
                Step::one("waiting", move || Ok(heard.recv_timeout(Duration::from_secs(20))?)),
                Step::one("saying", move || Ok(said.send(())?)),
            ],
        );
        assert_eq!(run.finish().iter().map(Done::failures).sum::<usize>(), 0);
    }

    #[test]
    fn the_folders_of_steps_that_passed_are_removed() {
        let target = tempfile::tempdir().unwrap();
        let folder = |name: &str| target.path().join(name);
        for name in ["good", "bad", "other"] {
            fs_err::create_dir(folder(name)).unwrap();
        }
        let run = Run::new(2, false).without_leftovers(target.path().to_owned());
        run.steps(vec![
            Step::one("good", || Ok(())).in_folders(&["good", "absent"]),
            Step::one("bad", || bail!("three is not four")).in_folders(&["bad"]),
        ]);
        assert_eq!(run.finish()[0].checks, [Check::passed("good")]);
        assert_eq!(["good", "bad", "other"].map(|name| folder(name).exists()), [false, true, true]);
    }

    #[test]
    fn in_a_strict_run_a_skip_is_a_failure() {
        assert_eq!(outcomes(true)[3].1, [Check::failed("printer", "skipped: there is none")]);
    }
}
