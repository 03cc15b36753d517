//! A server behind a door, the authorization server that it relies on, and a machine that knows it.

use std::sync::Arc;

use signalbox_demo::authority::Authority;
use signalbox_demo::{Demo, Speed};
use signalbox_tests::{Done, Machine, Running};

/// All of it.
pub(super) struct Site {
    pub(super) demo: Demo,
    pub(super) authority: Arc<Authority>,
    pub(super) machine: Machine,
    /// Options of each command.
    options: Vec<String>,
    _owner: Option<Running>,
}

impl Site {
    /// The server lets nobody in without a token. `serve` runs, and keeps secrets while it does: there is no keychain on a
    /// test's machine.
    pub(super) async fn start() -> Self {
        Self::with(Machine::new()).await
    }

    /// The same on this machine.
    pub(super) async fn with(machine: Machine) -> Self {
        let mut site = Self::keeping(machine, &["secrets", "keep", "this-run"], &[]).await;
        site._owner = Some(site.machine.serve().await);
        site
    }

    /// The server lets everybody in, for now.
    pub(super) async fn open() -> Self {
        let site = Self::start().await;
        site.authority.script().open = true;
        site
    }

    /// Without an owner, and with secrets in an encrypted file, whose passphrase each command is given.
    pub(super) async fn in_a_file() -> Self {
        let machine = Machine::new();
        let passphrase = machine.file("passphrase", "correct horse");
        Self::keeping(machine, &["secrets", "keep", "file"], &["--passphrase-file", &passphrase]).await
    }

    async fn keeping(machine: Machine, keep: &[&str], options: &[&str]) -> Self {
        let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
        let authority = Authority::before(&demo).await.unwrap();
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        let site = Self { demo, authority, machine, options, _owner: None };
        let _ = site.run(keep).await.ok();
        let url = site.authority.url("/mcp");
        let _ = site.run(&["server", "add", "demo", "--url", url.as_str()]).await.ok();
        site
    }

    /// Runs a command to its end.
    pub(super) async fn run(&self, args: &[&str]) -> Done {
        self.machine.run(&self.line(args)).await
    }

    /// Signs in as a person does, who follows the address that they are shown; how the command ended.
    pub(super) async fn sign_in(&self) -> Done {
        let mut login = self.machine.start(&self.line(&["server", "login", "demo"]));
        let address = login.says("the address", |line| line.starts_with("http")).await;
        assert_eq!(browse(&address).await, Some(200), "the person is told that it worked");
        login.end().await
    }

    fn line<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        args.iter().copied().chain(self.options.iter().map(String::as_str)).collect()
    }
}

/// What a browser comes to in the end; none when nobody is there.
pub(super) async fn browse(address: &str) -> Option<u16> {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    http.get(address).send().await.ok().map(|page| page.status().as_u16())
}
