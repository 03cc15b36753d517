//! Values given on the command line: JSON, files, stdin, secrets, ways to reach a server.

use std::io::Read;
use std::path::{Path, PathBuf};

use signalbox_api::{NewAccess, NewSecret, NewTransport, SecretText};
use signalbox_model::{Json, Secret, sounds_secret};

use crate::args::{Access, Reach, sounds_like_a_secret};
use crate::exit::Failure;

/// The most that is read from a file or from stdin, in bytes.
const LIMIT: u64 = 16 * 1024 * 1024;

/// The text of `TEXT|@FILE|-`. `what` names it in messages.
pub(crate) async fn text(what: &str, value: &str) -> Result<String, Failure> {
    let (place, read): (String, std::io::Result<String>) = match value.strip_prefix('@') {
        Some(path) => (path.to_owned(), blocking(open(path.into())).await),
        None if value == "-" => ("stdin".to_owned(), blocking(|| bounded(std::io::stdin())).await),
        None => return Ok(value.to_owned()),
    };
    read.map_err(|error| Failure::usage(format!("{what}: cannot read {place}: {error}")))
}

/// All of a file that a person names now, as long as nobody would call it huge. It may be a pipe, such as a shell gives for
/// `<(…)`: an interrupt and `--timeout` end the wait.
pub(crate) async fn file(path: PathBuf) -> std::io::Result<String> {
    blocking(open(path)).await
}

/// All of a file that nobody named, likewise; nothing that could keep us waiting.
pub(crate) async fn found(path: PathBuf) -> std::io::Result<String> {
    let read = move || {
        let bytes = signalbox_files::read(&path, LIMIT)?;
        String::from_utf8(bytes).map_err(|_| std::io::ErrorKind::InvalidData.into())
    };
    blocking(read).await
}

/// The JSON object of `JSON|@FILE|-`, exactly as given.
pub(crate) async fn object(what: &str, value: &str) -> Result<Json, Failure> {
    let text = text(what, value).await?;
    let json = Json::parse(text.trim()).map_err(|error| {
        let hint = if value.starts_with(['@', '-']) { "" } else { " (@FILE reads a file, - reads stdin)" };
        Failure::usage(format!("{what} is not JSON: {error}{hint}"))
    })?;
    if json.text().starts_with('{') {
        Ok(json)
    } else {
        Err(Failure::usage(format!("{what} must be a JSON object, such as {{\"name\":\"value\"}}")))
    }
}

fn open(path: PathBuf) -> impl FnOnce() -> std::io::Result<String> {
    move || bounded(std::fs::File::open(path)?)
}

fn bounded(from: impl Read) -> std::io::Result<String> {
    let mut text = String::new();
    let read = from.take(LIMIT + 1).read_to_string(&mut text)?;
    if read as u64 > LIMIT {
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, "more than 16 MiB"));
    }
    Ok(text)
}

/// A plain thread and not the runtime's: an interrupt must not wait for a read that never returns.
async fn blocking<T: Send + 'static>(
    read: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    let (done, result) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || done.send(read()));
    result.await.unwrap_or_else(|_| Err(std::io::Error::other("reading ended early")))
}

/// How to reach a server. Paths become absolute, because whoever connects may run in another folder.
pub(crate) fn transport(reach: &Reach) -> Result<NewTransport, Failure> {
    if let Some(url) = &reach.url {
        return Ok(NewTransport::Http { url: url.clone(), headers: headers(reach)? });
    }
    let [command, args @ ..] = reach.command.as_slice() else {
        return Err(Failure::usage("give --url URL, or a program after --"));
    };
    Ok(NewTransport::Stdio {
        command: program(command)?,
        args: args.to_vec(),
        env: variables(reach)?,
        cwd: reach.cwd.as_deref().map(absolute).transpose()?,
    })
}

/// The headers that are named.
pub(crate) fn headers(reach: &Reach) -> Result<Vec<(String, NewSecret)>, Failure> {
    let mut headers = pairs("--header", &reach.headers)?;
    headers.extend(plain_pairs("--header-plain", &reach.header_plain, &reach.yes_plain)?);
    Ok(headers)
}

/// The variables that are named.
pub(crate) fn variables(reach: &Reach) -> Result<Vec<(String, NewSecret)>, Failure> {
    let mut env = pairs("--env", &reach.env)?;
    env.extend(plain_pairs("--env-plain", &reach.env_plain, &reach.yes_plain)?);
    let passed =
        |var: &String| (var.clone(), NewSecret::Reference { secret: Secret::Env { var: var.clone() } });
    env.extend(reach.env_pass.iter().map(passed));
    Ok(env)
}

/// A program: a name that is looked up, or a whole path.
pub(crate) fn program(command: &str) -> Result<String, Failure> {
    let path = Path::new(command);
    let named = path.is_absolute() || path.components().count() < 2 && !command.starts_with('.');
    if named { Ok(command.to_owned()) } else { absolute(path) }
}

/// What reaching a server takes beside its address; none when nothing of it was named.
pub(crate) fn access(access: Access) -> Result<Option<NewAccess>, Failure> {
    let Access { client_id, client_secret, client_metadata, scopes, machine, ca, proxy, no_access } = access;
    let new = NewAccess {
        ca_certificates: ca.iter().map(|file| absolute(file)).collect::<Result<_, _>>()?,
        proxy,
        client_id,
        client_secret: client_secret.as_deref().map(secret).transpose()?,
        client_metadata_url: client_metadata,
        scopes,
        machine,
    };
    let is_named = new.client_id.is_some()
        || new.client_metadata_url.is_some()
        || new.proxy.is_some()
        || !new.scopes.is_empty()
        || !new.ca_certificates.is_empty();
    Ok((is_named || no_access).then_some(new))
}

fn pairs(option: &str, values: &[String]) -> Result<Vec<(String, NewSecret)>, Failure> {
    let pair = |text: &String| match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), secret(value)?)),
        // The text is not repeated: it may be the secret alone.
        _ => Err(Failure::usage(format!("{option} needs K=V, such as {option} NAME=env:VAR"))),
    };
    values.iter().map(pair).collect()
}

/// Values that are no secrets. What is named like one takes a second word, and every second word is about one of them.
fn plain_pairs(option: &str, values: &[String], yes: &[String]) -> Result<Vec<(String, NewSecret)>, Failure> {
    let is_of =
        |sure: &&String| values.iter().any(|text| text.split_once('=').is_some_and(|(key, _)| key == *sure));
    if let Some(sure) = yes.iter().find(|sure| !is_of(sure)) {
        return Err(Failure::usage(format!("--yes-plain {sure} goes with {option} {sure}=V")));
    }
    let pair = |text: &String| match text.split_once('=') {
        Some((key, _)) if sounds_secret(key) && !yes.iter().any(|sure| sure == key) => {
            Err(Failure::usage(sounds_like_a_secret(key)))
        }
        Some((key, value)) if !key.is_empty() => {
            Ok((key.to_owned(), NewSecret::Plain { value: value.to_owned(), sure: sounds_secret(key) }))
        }
        _ => Err(Failure::usage(format!("{option} needs K=V, such as {option} LOG=debug"))),
    };
    values.iter().map(pair).collect()
}

fn secret(value: &str) -> Result<NewSecret, Failure> {
    Ok(if let Some(var) = value.strip_prefix("env:") {
        NewSecret::Reference { secret: Secret::Env { var: var.to_owned() } }
    } else if let Some(path) = value.strip_prefix('@') {
        NewSecret::Reference { secret: Secret::File { path: absolute(Path::new(path))? } }
    } else {
        NewSecret::Literal { value: SecretText(value.to_owned()) }
    })
}

pub(crate) fn absolute(path: &Path) -> Result<String, Failure> {
    let absolute = std::path::absolute(path)
        .map_err(|error| Failure::usage(format!("{} cannot be used as a path: {error}", path.display())))?;
    absolute.into_os_string().into_string().map_err(|_| {
        Failure::usage(format!("{}: only paths that are Unicode text can be kept", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(headers: &[&str], command: &[&str]) -> Reach {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Reach {
            url: command.is_empty().then(|| "https://example.com/mcp".to_owned()),
            headers: own(headers),
            header_plain: Vec::new(),
            env: Vec::new(),
            env_pass: Vec::new(),
            env_plain: Vec::new(),
            yes_plain: Vec::new(),
            cwd: None,
            command: own(command),
        }
    }

    #[tokio::test]
    async fn a_file_that_is_huge_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("huge");
        for (bytes, is_read) in [(16 << 20, true), ((16 << 20) + 1, false)] {
            std::fs::File::create(&path).unwrap().set_len(bytes).unwrap();
            let read = file(path.clone()).await.map(|text| text.len() as u64);
            assert_eq!(read.map_err(|error| error.to_string()).ok(), is_read.then_some(bytes));
        }
    }

    #[test]
    fn secrets_are_references_unless_literal() {
        let NewTransport::Http { headers, .. } =
            transport(&reach(&["A=env:TOKEN", "B=@/run/key", "C=a=b"], &[])).unwrap()
        else {
            panic!("a URL is HTTP");
        };
        assert!(
            matches!(&headers[0].1, NewSecret::Reference { secret: Secret::Env { var } } if var == "TOKEN")
        );
        assert!(
            matches!(&headers[1].1, NewSecret::Reference { secret: Secret::File { path } } if path == "/run/key")
        );
        assert!(
            matches!(&headers[2].1, NewSecret::Literal { value } if value.0 == "a=b"),
            "only the first = separates"
        );
    }

    #[test]
    fn a_second_word_about_nothing_is_refused() {
        let own = |text: &str| vec![text.to_owned()];
        let of = |plain, yes| {
            transport(&Reach { env_plain: own(plain), yes_plain: own(yes), ..reach(&[], &["prog"]) })
        };
        assert!(of("API_KEY=1", "API_KEY").is_ok());
        let refused = of("LOG=1", "API_KEY").expect_err("nothing is named so");
        assert!(refused.to_string().contains("--env-plain API_KEY=V"), "{refused}");
        let typed = Reach { env: own("API_KEY=1"), yes_plain: own("API_KEY"), ..reach(&[], &["prog"]) };
        assert!(
            transport(&typed).is_err(),
            "the person takes it to be kept in the clear, and it would not be"
        );
    }

    #[test]
    fn files_of_secrets_and_folders_become_absolute() {
        let here = std::env::current_dir().unwrap();
        let file = |secret: &NewSecret| match secret {
            NewSecret::Reference { secret: Secret::File { path } } => PathBuf::from(path),
            other => panic!("a reference to a file: {other:?}"),
        };
        let NewTransport::Http { headers, .. } = transport(&reach(&["B=@key.txt"], &[])).unwrap() else {
            panic!("a URL is HTTP");
        };
        assert_eq!(file(&headers[0].1), here.join("key.txt"), "whoever connects runs in another folder");
        let stdio = Reach { env: vec!["K=@../key".into()], cwd: Some("x".into()), ..reach(&[], &["npx"]) };
        let NewTransport::Stdio { env, cwd, .. } = transport(&stdio).unwrap() else {
            panic!("a program is stdio");
        };
        assert!(file(&env[0].1).is_absolute());
        assert_eq!(cwd.map(PathBuf::from), Some(here.join("x")));
    }

    #[test]
    fn a_pair_without_a_key_is_refused_without_repeating_it() {
        let failure = transport(&reach(&["s3cret"], &[])).unwrap_err();
        assert!(!failure.to_string().contains("s3cret"), "a mistyped secret must not be printed: {failure}");
    }

    #[test]
    fn relative_programs_become_absolute_and_names_stay() {
        let program = |name| match transport(&reach(&[], &[name, "--flag", "./x"])).unwrap() {
            NewTransport::Stdio { command, args, .. } => (command, args),
            NewTransport::Http { .. } => panic!("a program is stdio"),
        };
        assert_eq!(program("npx").0, "npx", "names are looked up in PATH");
        assert_eq!(program("/usr/bin/x").0, "/usr/bin/x");
        assert!(Path::new(&program("./server").0).is_absolute());
        assert!(Path::new(&program("target/server").0).is_absolute());
        assert_eq!(program("npx").1, ["--flag", "./x"], "arguments stay exactly");
    }

    #[tokio::test]
    async fn malformed_json_says_where() {
        let failure = object("--args", "{\"a\":\n1,}").await.unwrap_err();
        assert_eq!(failure.exit(), crate::exit::Exit::Usage);
        assert!(failure.to_string().contains("line 2 column 3"), "{failure}");
        assert!(object("--args", "[1]").await.is_err(), "arguments are one object");
        let big = r#"{ "n": 12345678901234567890123 }"#;
        assert_eq!(object("--args", big).await.unwrap().text(), big, "bytes stay as given");
    }

    #[tokio::test]
    async fn files_are_read_and_missing_ones_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("args.json");
        std::fs::write(&path, "{\"a\":1}\n").unwrap();
        assert_eq!(object("--args", &format!("@{}", path.display())).await.unwrap().text(), "{\"a\":1}");
        let failure = object("--args", "@/no/such/file").await.unwrap_err();
        assert!(failure.to_string().contains("/no/such/file"), "{failure}");
    }
}
