//! A text for a bug report: what runs where and how it is, without secrets and sensitive handles.

use std::{
    fmt::Write as _,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::Path,
};

use signalbox_model::{Health, Transport};

use super::Local;
use crate::{
    ApiError, Code, Home, SecretPlace, ServerView,
    command::{CarryOut, DiagnosticText, Diagnostics},
    logging::file,
};

/// Lines of the log that come with it.
const LOG_LINES: usize = 100;
/// Bytes of the log that are looked at for them.
const LOG_BYTES: u64 = 256 * 1024;

impl CarryOut<Diagnostics> for Local {
    async fn carry_out(&self, _: Diagnostics) -> Result<DiagnosticText, ApiError> {
        let overview = self.overview().await?;
        let log = {
            let home = self.home.clone();
            tokio::task::spawn_blocking(move || tail(&home)).await.unwrap_or_default()
        };
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "Signalbox {} · {} {}",
            self.owner.version,
            std::env::consts::OS,
            std::env::consts::ARCH
        );
        let _ = writeln!(text, "Owner: {:?}, process {}", self.owner.kind, self.owner.pid);
        let locked = if self.secrets_locked() { ", locked" } else { "" };
        let _ = writeln!(text, "Secrets: {:?}{locked}", SecretPlace::of(&self.secrets));
        let tasks = overview.tasks;
        let _ = writeln!(
            text,
            "Tasks: {} need a person, {} working, {} ended. Open questions: {}",
            tasks.needs_you, tasks.working, tasks.ended, overview.inbox
        );
        for trouble in &overview.troubles {
            let _ = writeln!(text, "Trouble {}: {}", trouble.code.as_str(), trouble.message);
        }
        for server in &overview.servers {
            let _ = writeln!(text, "Server {}: {}", server.id, server_line(server));
        }
        let _ = writeln!(text, "\nLog:");
        for line in log {
            let _ = writeln!(text, "{}", crate::logging::redact(&line));
        }
        Ok(DiagnosticText { text })
    }
}

/// The last lines of the log, over the end of the file before it.
fn tail(home: &Home) -> Vec<String> {
    let files = [1, 0].map(|n| end_of(&file::path(&home.logs(), n)).unwrap_or_default());
    let text = files.concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().skip(lines.len().saturating_sub(LOG_LINES)).map(|line| (*line).to_owned()).collect()
}

fn end_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = signalbox_files::open(path)?;
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(LOG_BYTES)))?;
    let mut text = Vec::new();
    file.take(LOG_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

/// Neither its name nor its address: they may tell what a company works on.
fn server_line(server: &ServerView) -> String {
    let kind = match &server.transport {
        Transport::Http { url, .. } if url.starts_with("https:") => "https",
        Transport::Http { .. } => "http",
        Transport::Stdio { .. } => "stdio",
    };
    let health = match &server.health {
        Health::Unknown { .. } if server.connecting_since.is_some() => "connecting".to_owned(),
        Health::Unknown { .. } => "not tried yet".to_owned(),
        Health::Ok { .. } => "ok".to_owned(),
        Health::Unreachable { note, .. } | Health::Unusable { note, .. } => Code::from(note.code).as_str(),
        Health::SignInNeeded { .. } => Code::SignInNeeded.as_str(),
    };
    let version = server.protocol_version.as_deref().unwrap_or("unknown version");
    let tasks = if server.supports_tasks { "tasks" } else { "no tasks" };
    let left_out = server.left_out.map(|n| format!(", questions not taken {n}")).unwrap_or_default();
    format!("{kind}, {version}, {tasks}, {health}, enabled {}{left_out}", server.enabled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_log_the_end_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        std::fs::create_dir_all(home.logs()).unwrap();
        let log = |n: usize| (0..n).map(|n| format!("{n}\n")).collect::<String>();
        std::fs::write(file::path(&home.logs(), 0), log(100_000)).unwrap();
        assert_eq!(end_of(&file::path(&home.logs(), 0)).unwrap().len(), 256 * 1024);
        let lines = tail(&home);
        assert_eq!((lines.len(), lines[99].as_str()), (100, "99999"));
    }
}
