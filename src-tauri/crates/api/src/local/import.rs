//! Servers out of the configurations of other clients, for the window: what is shown is what is taken.

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
};

use super::Local;
use crate::{
    ApiError, Code, Reply, SecretText, ServerView,
    import::{Client, Gathered, Importable, NotImported, Places, Surroundings, Unreadable, project_of},
};

/// The most that is read of a configuration, in bytes.
const LIMIT: u64 = 16 * 1024 * 1024;

impl Local {
    pub(super) async fn read_configurations(&self, text: Option<SecretText>) -> Result<Reply, ApiError> {
        let Gathered { candidates, mut skipped } = gathered(text).await?;
        let registered = self.overview().await?.servers;
        let mut servers = Vec::new();
        for candidate in candidates {
            match candidate.in_the_way(&registered) {
                Some(why) => skipped.push(candidate.refused(why)),
                None => servers.push(candidate.shown()),
            }
        }
        Ok(Reply::Importable { servers, skipped })
    }

    pub(super) async fn import_servers(
        &self,
        text: Option<SecretText>,
        wanted: &[Importable],
    ) -> Result<Reply, ApiError> {
        let (mut servers, mut skipped) = (Vec::<ServerView>::new(), Vec::<NotImported>::new());
        for candidate in gathered(text).await?.candidates {
            // A file may have changed since: nothing is taken that was not shown.
            if !wanted.contains(&candidate.shown()) {
                continue;
            }
            let (name, from) = (candidate.name.clone(), candidate.shown().from);
            match self.add_server(name.clone(), candidate.transport, false).await {
                Ok(Reply::Server { server }) => servers.push(server),
                Ok(_) => {}
                Err(ApiError { code: Code::Usage | Code::NameTaken, message, .. }) => {
                    skipped.push(NotImported { name: Some(name), from, why: message });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Reply::Imported { servers, skipped })
    }
}

async fn gathered(text: Option<SecretText>) -> Result<Gathered, ApiError> {
    let Some(places) = Places::here() else {
        return Err(ApiError::new(Code::Usage, "Nobody knows where your home directory is: set HOME"));
    };
    let reading = tokio::task::spawn_blocking(move || match text {
        Some(text) => pasted(&text.take(), &places),
        None => Ok(of_clients(&places)),
    });
    reading
        .await
        .unwrap_or_else(|_| Err(ApiError::new(Code::Internal, "Reading the configurations ended early")))
}

fn pasted(text: &str, places: &Places) -> Result<Gathered, ApiError> {
    let mut gathered = Gathered::default();
    match gathered.read("", text, around(places, None)) {
        Ok(()) => Ok(gathered),
        Err(error) => {
            Err(ApiError::new(Code::Usage, format!("Nothing can be taken over from this: {error}")))
        }
    }
}

/// What those clients have for all projects: where this process was started says nothing of the person's.
fn of_clients(places: &Places) -> Gathered {
    let mut gathered = Gathered::default();
    for file in Client::ALL.iter().flat_map(|client| client.files(places, None)) {
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
            Err(error) => error.to_string(),
        };
        gathered.skipped.push(NotImported { name: None, from: Some(from), why });
    }
    gathered
}

fn around<'a>(places: &'a Places, project: Option<&'a Path>) -> Surroundings<'a> {
    Surroundings { home: &places.home, project, var: &|name| std::env::var(name).ok() }
}

fn bounded(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(file)?.take(LIMIT + 1).read_to_string(&mut text)?;
    if read as u64 > LIMIT { Err(ErrorKind::FileTooLarge.into()) } else { Ok(text) }
}
