//! Tasks that a person saves to a file: portion by portion, so that their size does not matter, and all of them or nothing.

use std::{
    fs,
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use serde::Serialize;
use signalbox_model::{CallId, Json};
use tempfile::NamedTempFile;

use crate::{
    ApiError, Code, Desk, DeskExt as _,
    command::{Export, ExportKind, ExportPortion},
};

/// What was written of tasks that were saved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedTasks {
    /// Tasks, a line for each.
    pub lines: u64,
    /// Items and payloads that were left out, because what is kept of them is damaged.
    pub left_out: u64,
}

/// Writes all that is kept of these tasks to a file, a line of JSON for each, as `export` prints it: without task ids. What
/// stands there is replaced once all is written; where something fails it stays as it is, and there is no new file.
///
/// # Errors
/// [`Code::Usage`] where no task is named, and where the file cannot be written; those of [`Export`].
pub async fn save_tasks(desk: &dyn Desk, calls: &[CallId], path: PathBuf) -> Result<SavedTasks, ApiError> {
    if calls.is_empty() {
        // An export of no task in particular is one of all.
        return Err(ApiError::new(Code::Usage, "No task was named: nothing was written"));
    }
    let at = path.clone();
    let at = &move |error: io::Error| {
        let message = format!("{} could not be written, and is as it was: {error}", at.display());
        ApiError::new(Code::Usage, message)
    };
    let mut file = apart(move || Begun::beside(&path)).await?.map_err(at)?;
    let (mut saved, mut after) = (SavedTasks::default(), Some(0));
    while let Some(from) = after {
        let act = Export {
            what: ExportKind::Tasks,
            after: from,
            with_handles: false,
            filter: String::new(),
            calls: calls.to_vec(),
        };
        let ExportPortion { lines, next, left_out } = desk.act(act).await?;
        saved.lines += lines.len() as u64;
        saved.left_out += u64::from(left_out);
        file = apart(move || file.with(&lines)).await?.map_err(at)?;
        after = next;
    }
    apart(move || file.keep()).await?.map_err(at)?;
    Ok(saved)
}

/// A file that is not there under its name yet. It goes unless it is kept.
struct Begun {
    to: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Begun {
    /// In the same folder, so that it can take the place of what is there at once. For its person alone.
    fn beside(path: &Path) -> io::Result<Self> {
        // A link stays one, and leads to the new file.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        Ok(Self { to: BufWriter::new(NamedTempFile::new_in(folder)?), path })
    }

    fn with(mut self, lines: &[Json]) -> io::Result<Self> {
        for line in lines {
            writeln!(self.to, "{}", line.text())?;
        }
        Ok(self)
    }

    fn keep(self) -> io::Result<()> {
        let file = self.to.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(self.path)?;
        Ok(())
    }
}

/// A disk may be slow.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    let ended_early = |_| ApiError::new(Code::Internal, "Saving it ended early");
    tokio::task::spawn_blocking(work).await.map_err(ended_early)
}

#[cfg(test)]
mod tests {
    use std::{sync::Mutex, time::Duration};

    use super::*;
    use crate::{Changes, Command, Cursor, Reply, View, desk::Answering};

    /// A desk that gives these portions one after the other, and says what it was asked.
    struct Portions {
        left: Mutex<Vec<Result<ExportPortion, ApiError>>>,
        asked: Mutex<Vec<u64>>,
    }

    impl Portions {
        fn of(portions: impl IntoIterator<Item = Result<ExportPortion, ApiError>>) -> Self {
            let mut left: Vec<_> = portions.into_iter().collect();
            left.reverse();
            Self { left: Mutex::new(left), asked: Mutex::default() }
        }
    }

    impl Desk for Portions {
        fn call(&self, command: Command) -> Answering<'_, Reply> {
            let Command::Export(act) = command else { panic!("nothing else is asked: {command:?}") };
            assert_eq!((act.calls.len(), act.with_handles), (2, false), "of these alone, without task ids");
            self.asked.lock().unwrap().push(act.after);
            let portion = self.left.lock().unwrap().pop().expect("no more than there are");
            Box::pin(async move { portion.map(Reply::Portion) })
        }

        fn changes(&self, view: View, _: Option<Cursor>, _: Duration) -> Answering<'_, Changes> {
            panic!("nothing is looked at: {view:?}")
        }
    }

    fn portion(id: u32, next: Option<u64>, left_out: u32) -> Result<ExportPortion, ApiError> {
        let line = Json::parse(format!(r#"{{"id":"t{id}","n":1.0}}"#)).unwrap();
        Ok(ExportPortion { lines: vec![line], next, left_out })
    }

    fn in_folder(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap();
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    const CALLS: [CallId; 2] = [CallId(1), CallId(9)];

    #[tokio::test]
    async fn portions_become_one_file_in_place_of_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tasks.jsonl");
        fs::write(&path, "old\n").unwrap();
        let desk = Portions::of([portion(1, Some(1), 0), portion(9, None, 2)]);
        let saved = save_tasks(&desk, &CALLS, path.clone()).await.unwrap();
        assert_eq!(saved, SavedTasks { lines: 2, left_out: 2 });
        assert_eq!(*desk.asked.lock().unwrap(), [0, 1], "each goes on behind the one before");
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "{\"id\":\"t1\",\"n\":1.0}\n{\"id\":\"t9\",\"n\":1.0}\n",
            "bytes stay as they are"
        );
        assert_eq!(in_folder(folder.path()), ["tasks.jsonl"], "nothing lies beside it");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o077, 0, "for us alone");
        }
    }

    #[tokio::test]
    async fn a_failure_leaves_no_half() {
        let lost = || Err(ApiError::new(Code::OwnerGone, "the owner went away"));
        for was in [None, Some("old\n")] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("tasks.jsonl");
            was.iter().for_each(|text| fs::write(&path, text).unwrap());
            let desk = Portions::of([portion(1, Some(1), 0), lost()]);
            let error = save_tasks(&desk, &CALLS, path.clone()).await.unwrap_err();
            assert_eq!(error.code, Code::OwnerGone);
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), was, "it is as it was");
            assert_eq!(in_folder(folder.path()).len(), was.iter().count(), "nothing lies beside it");
        }
    }

    #[tokio::test]
    async fn a_file_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing/tasks.jsonl");
        let error = save_tasks(&Portions::of([]), &CALLS, path).await.unwrap_err();
        assert_eq!(error.code, Code::Usage);
        assert!(error.message.contains("missing/tasks.jsonl could not be written"), "{error}");
        let taken = folder.path().to_owned();
        let error = save_tasks(&Portions::of([portion(1, None, 0)]), &CALLS, taken).await.unwrap_err();
        assert_eq!(error.code, Code::Usage, "a folder is no file: {error}");
    }

    #[tokio::test]
    async fn no_task_in_particular_is_not_all_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let error = save_tasks(&Portions::of([]), &[], folder.path().join("x")).await.unwrap_err();
        assert_eq!(error.code, Code::Usage);
        assert!(in_folder(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_link_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        save_tasks(&Portions::of([portion(1, None, 0)]), &CALLS, link.clone()).await.unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert!(fs::read_to_string(&real).unwrap().contains("t1"));
    }
}
