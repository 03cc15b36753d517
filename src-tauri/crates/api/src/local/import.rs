//! Servers out of the configurations of other clients, for the window: what is shown is what is taken.

use std::{
    io::{self, ErrorKind},
    path::Path,
};

use super::{Local, MOST_SERVERS};
use crate::{
    ApiError, Code, SecretText,
    command::{AddServer, CarryOut, Configurations, ImportServers, ReadConfigurations, ReadPasted},
    import::{
        self, Candidate, ClientProgram, Gathered, ImportOutcome, NotImported, Pasted, Places, Surroundings,
        Unreadable, Wanted, project_of,
    },
};

/// The most that is read of a configuration, in bytes.
const LIMIT: u64 = 16 * 1024 * 1024;

impl CarryOut<ReadConfigurations> for Local {
    async fn carry_out(
        &self,
        ReadConfigurations { text }: ReadConfigurations,
    ) -> Result<Configurations, ApiError> {
        let Gathered { candidates, mut skipped } = gathered(text).await?;
        let registered = self.overview().await?.servers;
        let (mut servers, mut left_out) = (Vec::new(), 0);
        for candidate in candidates {
            match candidate.in_the_way(&registered) {
                Some((why, settled)) => skipped.push(candidate.refused(why, settled)),
                None if registered.len() + servers.len() >= MOST_SERVERS => left_out += 1,
                None => servers.push(candidate.shown()),
            }
        }
        skipped.extend(NotImported::no_place(left_out));
        Ok(Configurations { servers, skipped })
    }
}

impl CarryOut<ImportServers> for Local {
    async fn carry_out(
        &self,
        ImportServers { text, servers }: ImportServers,
    ) -> Result<Vec<ImportOutcome>, ApiError> {
        let mut candidates = gathered(text).await?.candidates;
        let mut outcomes = Vec::with_capacity(servers.len());
        for Wanted { server, values } in servers {
            // A file may have changed since: nothing is taken that was not shown.
            let found = candidates.iter().position(|candidate| candidate.shown() == server);
            outcomes.push(match found.map(|at| candidates.swap_remove(at)) {
                None => ImportOutcome::Not { error: changed() },
                Some(candidate) => self.take_over(candidate.with(&values)).await,
            });
        }
        Ok(outcomes)
    }
}

impl CarryOut<ReadPasted> for Local {
    /// Reads a pasted text. Its values go back to whoever pasted it, so that no variable of this machine gets into them.
    async fn carry_out(&self, ReadPasted { text }: ReadPasted) -> Result<Pasted, ApiError> {
        let reading = tokio::task::spawn_blocking(move || {
            let places = Places::here().ok_or_else(homeless)?;
            let around = Surroundings { home: &places.home, project: None, var: None };
            import::read_pasted(&text.take(), around)
                .map_err(|unclear| ApiError::new(Code::Usage, unclear.to_string()))
        });
        reading.await.unwrap_or_else(|_| Err(ApiError::new(Code::Internal, "Reading it ended early")))
    }
}

impl Local {
    /// What goes wrong with one keeps no other out.
    async fn take_over(&self, candidate: Candidate) -> ImportOutcome {
        let add = AddServer { name: candidate.name, transport: candidate.transport, untrusted: true };
        match self.carry_out(add).await {
            Ok(server) => ImportOutcome::Taken { server: Box::new(server) },
            Err(error) => ImportOutcome::Not { error },
        }
    }
}

fn changed() -> ApiError {
    ApiError::new(Code::Usage, "Its configuration has changed since it was shown: read it again")
}

fn homeless() -> ApiError {
    ApiError::new(Code::Usage, "Signalbox does not know where your home directory is: set HOME")
}

async fn gathered(text: Option<SecretText>) -> Result<Gathered, ApiError> {
    let places = Places::here().ok_or_else(homeless)?;
    let reading = tokio::task::spawn_blocking(move || match text {
        Some(text) => pasted(&text.take(), &places),
        None => Ok(of_clients(&places)),
    });
    reading
        .await
        .unwrap_or_else(|_| Err(ApiError::new(Code::Internal, "Reading the configurations ended early")))
}

fn pasted(text: &str, places: &Places) -> Result<Gathered, ApiError> {
    let pasted = import::read_pasted(text, around(places, None))
        .map_err(|unclear| ApiError::new(Code::Usage, unclear.to_string()))?;
    Ok(Gathered::pasted(pasted))
}

/// What those clients have for all projects: where this process was started says nothing of the person's.
fn of_clients(places: &Places) -> Gathered {
    let mut gathered = Gathered::default();
    for file in ClientProgram::ALL.iter().flat_map(|client| client.files(places, None)) {
        let from = file.display().to_string();
        let why = match bounded(&file) {
            Ok(text) => {
                let project = project_of(&file, &places.home);
                match gathered.read(&from, &text, around(places, project.as_deref())) {
                    Ok(()) | Err(Unreadable::NoServers) => continue,
                    Err(error) => error.to_string(),
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => format!("it cannot be read: {error}"),
        };
        gathered.skipped.push(NotImported { name: None, from: Some(from), why, settled: false });
    }
    gathered
}

fn around<'a>(places: &'a Places, project: Option<&'a Path>) -> Surroundings<'a> {
    Surroundings { home: &places.home, project, var: Some(&|name| std::env::var(name).ok()) }
}

fn bounded(file: &Path) -> io::Result<String> {
    let bytes = signalbox_files::read(file, LIMIT)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn what_the_system_says_stands_behind_a_sentence() {
        let dir = tempfile::tempdir().unwrap();
        let places = Places { home: dir.path().to_owned(), config: dir.path().join(".config") };
        // A name as of a file, and no file.
        std::fs::create_dir_all(dir.path().join(".claude.json")).unwrap();
        std::fs::create_dir(dir.path().join(".cursor")).unwrap();
        std::fs::write(dir.path().join(".cursor/mcp.json"), [0xff, 0xfe]).unwrap();
        let skipped = of_clients(&places).skipped;
        assert_eq!(skipped.len(), 2, "{skipped:?}");
        for NotImported { why, .. } in skipped {
            assert!(
                why.starts_with("it cannot be read: "),
                "a person reads this beside a file's name: {why}"
            );
        }
    }

    #[test]
    fn a_configuration_that_is_huge_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("huge.json");
        for (bytes, is_read) in [(16 << 20, true), ((16 << 20) + 1, false)] {
            File::create(&path).unwrap().set_len(bytes).unwrap();
            let read = bounded(&path).map(|text| text.len() as u64);
            assert_eq!(read.ok(), is_read.then_some(bytes));
        }
    }
}
