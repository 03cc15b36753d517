//! Logs: a file a day where [`Home::logs`] says, a few of them, bounded in size. Secrets and sensitive handles are never
//! logged; what still looks like one is blacked out on its way into the file.

pub(crate) mod file;
mod rate_limit;
mod redact;

use std::{
    backtrace::Backtrace,
    io,
    panic::{self, PanicHookInfo},
    path::Path,
};

use tracing::{Subscriber, level_filters::LevelFilter};
use tracing_subscriber::{
    Layer, Registry, filter::Targets, fmt::MakeWriter, layer::SubscriberExt, reload, util::SubscriberInitExt,
};

use crate::{ApiError, Code, Home, home};

use file::LogFile;
use rate_limit::RateLimited;

pub use redact::redact;

/// The running logs of this program.
#[derive(Debug, Clone)]
pub struct Logs {
    level: reload::Handle<Targets, Registry>,
}

impl Logs {
    /// Starts logging for the whole program, panics included. Once per program.
    ///
    /// # Errors
    /// When the log directory cannot be used or an unknown level is named.
    pub fn init(home: &Home, level: &str) -> Result<Self, ApiError> {
        let (subscriber, logs) = to(&home.logs(), level)?;
        subscriber
            .try_init()
            .map_err(|_| ApiError::new(Code::Internal, "logging was started twice in one program"))?;
        let default = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            log_panic(info);
            default(info);
        }));
        Ok(logs)
    }

    /// Keeps this much from now on: `error`, `warn`, `info`, `debug` or `trace`.
    ///
    /// # Errors
    /// When the level is none of these.
    pub fn set_level(&self, level: &str) -> Result<(), ApiError> {
        let targets = targets(level)?;
        let changed = self.level.reload(targets);
        changed.map_err(|error| {
            ApiError::new(Code::Internal, format!("The log level cannot be changed: {error}"))
        })
    }
}

/// Our crates at the wished level, libraries never below `warn`: they would log what must not be in there.
fn targets(level: &str) -> Result<Targets, ApiError> {
    let ours = match level {
        "error" => LevelFilter::ERROR,
        "warn" => LevelFilter::WARN,
        "info" => LevelFilter::INFO,
        "debug" => LevelFilter::DEBUG,
        "trace" => LevelFilter::TRACE,
        other => {
            let message = format!("{other:?} is no log level: error, warn, info, debug or trace");
            return Err(ApiError::new(Code::Usage, message));
        }
    };
    Ok(Targets::new().with_default(ours.min(LevelFilter::WARN)).with_target("signalbox", ours))
}

fn to(dir: &Path, level: &str) -> Result<(impl Subscriber + Send + Sync + use<>, Logs), ApiError> {
    home::make_private(dir)?;
    home::check_ours(dir)?;
    let file = LogFile::open(dir).map_err(|error| {
        ApiError::new(
            Code::StorageDenied,
            format!("no log can be written: {}: {error}", file::path(dir, 0).display()),
        )
    })?;
    keep_private(dir).map_err(|error| home::storage(dir, &error))?;
    let (filter, level) = reload::Layer::new(targets(level)?);
    let format = RateLimited::new(tracing_subscriber::fmt::format());
    let lines =
        tracing_subscriber::fmt::layer().event_format(format).with_ansi(false).with_writer(Redacting(file));
    Ok((Registry::default().with(lines.with_filter(filter)), Logs { level }))
}

/// The directory is what keeps others out, also from the files of days to come.
#[cfg(unix)]
fn keep_private(dir: &Path) -> io::Result<()> {
    use std::{fs, os::unix::fs::PermissionsExt};

    fs::set_permissions(dir, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_private(_: &Path) -> io::Result<()> {
    Ok(())
}

fn log_panic(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("no message");
    let location = info.location().map(ToString::to_string).unwrap_or_default();
    let backtrace = Backtrace::force_capture();
    tracing::error!(target: "signalbox::panic", %location, "panicked: {message}\n{backtrace}");
}

/// Blacks out each line on its way into the file. The formatter writes an event at once.
struct Redacting<W>(W);

impl<'a, W: MakeWriter<'a>> MakeWriter<'a> for Redacting<W> {
    type Writer = Redacting<W::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        Redacting(self.0.make_writer())
    }
}

impl<W: io::Write> io::Write for Redacting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(redact(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn written(dir: &Path) -> String {
        fs::read_dir(dir).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect()
    }

    #[test]
    fn the_level_can_change_while_running() {
        let dir = tempfile::tempdir().unwrap();
        let (subscriber, logs) = to(dir.path(), "info").unwrap();
        tracing::subscriber::with_default(subscriber, || {
            tracing::debug!(target: "signalbox_engine", "too early");
            logs.set_level("debug").unwrap();
            tracing::debug!(target: "signalbox_engine", "in time");
            tracing::info!(target: "zbus", "a library's");
            assert_eq!(logs.set_level("loud").unwrap_err().code, Code::Usage);
        });
        let text = written(dir.path());
        assert!(text.contains("in time") && !text.contains("too early"), "{text}");
        assert!(!text.contains("a library's"), "libraries log from `warn` up only: {text}");
    }

    #[test]
    fn what_looks_like_a_secret_does_not_reach_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let (subscriber, _logs) = to(dir.path(), "info").unwrap();
        tracing::subscriber::with_default(subscriber, || {
            tracing::info!(target: "signalbox", header = "Bearer abc.def", "asked");
        });
        let text = written(dir.path());
        assert!(text.contains("asked") && !text.contains("abc.def"), "{text}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_is_counted_instead_of_written() {
        let dir = tempfile::tempdir().unwrap();
        let (subscriber, _logs) = to(dir.path(), "info").unwrap();
        let _default = tracing::subscriber::set_default(subscriber);
        let complain = || tracing::warn!(target: "signalbox_mcp", "junk");
        (0..1_000).for_each(|_| complain());
        tracing::warn!(target: "signalbox_mcp", "something else");
        tokio::time::advance(std::time::Duration::from_secs(61)).await;
        complain();
        let text = written(dir.path());
        assert_eq!(text.matches("junk").count(), 101, "a hundred, and one when the flood is over");
        assert!(text.contains("something else"), "a flood hides nothing else");
        assert!(text.contains("900 more lines"), "what was left out is counted");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_read_the_logs() {
        use std::os::unix::fs::PermissionsExt;

        let dir = tempfile::tempdir().unwrap();
        let logs = dir.path().join("logs");
        let _logging = to(&logs, "info").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&logs), 0o700);
        let file = fs::read_dir(&logs).unwrap().next().unwrap().unwrap().path();
        assert_eq!(mode(&file), 0o600);
    }
}
