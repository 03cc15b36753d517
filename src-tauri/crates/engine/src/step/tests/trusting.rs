//! Programs that a person has not confirmed.

use signalbox_model::{Health, Note, NoteCode, Outcome, Reason, Secret, Server, ServerId, Transport};

use super::bench::{Bench, SERVER, called, done, found, json, server, unreachable};
use crate::{Granted, Input, Intent, Refusal, not_trusted};

const PROGRAM: ServerId = ServerId(2);

fn program(args: &[&str], trusted: bool) -> Server {
    let transport = Transport::Stdio {
        command: "npx".to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: vec![("API_KEY".to_owned(), Secret::Keychain { entry: "somewhere".to_owned() })],
        cwd: Some("/srv/a b".to_owned()),
    };
    let mut program = Server::new(PROGRAM, "local", transport);
    program.trusted = trusted;
    program
}

fn untrusted() -> Bench {
    let mut bench = Bench::new();
    assert_eq!(
        bench.wish(Intent::AddServer(program(&["a server", "--yes"], false))),
        Ok(Granted::Server(PROGRAM))
    );
    bench
}

fn what_would_run(bench: &Bench) -> &Note {
    match &bench.disk.servers[&PROGRAM].health {
        Health::Unusable { note, .. } if note.code == NoteCode::NotTrusted => note,
        other => panic!("it is not to be used, and its health says {other:?}"),
    }
}

fn start() -> Intent {
    Intent::Start { server: PROGRAM, tool: "echo".to_owned(), arguments: json("{}"), ttl_ms: None }
}

#[test]
fn nothing_starts_a_program_that_was_not_confirmed() {
    let mut bench = untrusted();
    let said = what_would_run(&bench).clone();
    let Reason::NotTrusted(of) = &said.reason else { panic!("it says what would be run: {said:?}") };
    assert_eq!(of.command, ["npx", "a server", "--yes"], "exactly, word by word");
    assert_eq!(of.cwd.as_deref(), Some("/srv/a b"));
    let key = of.variables.iter().find(|variable| variable.name == "API_KEY").expect("its name");
    assert_eq!(key.value, None, "names, no values");
    for intent in [start(), Intent::Track { server: PROGRAM, task_id: "x".to_owned() }] {
        let Err(Refusal::NotTrusted(server)) = bench.wish(intent) else { panic!("it is not started") };
        assert_eq!(not_trusted(&server), said, "the refusal has what the words are made of");
    }
    assert_eq!(bench.wish(Intent::Check(PROGRAM)), Ok(Granted::Done), "a check says what is to be confirmed");
    bench.pass(10_000_000);
    assert_eq!(bench.flights, [], "nothing by itself");
    let mut bench = bench.restart(1_000, crate::Follow::All);
    bench.pass(10_000_000);
    assert_eq!((bench.flights.as_slice(), what_would_run(&bench)), ([].as_slice(), &said));
}

#[test]
fn what_was_confirmed_goes_on() {
    let mut bench = untrusted();
    bench.wish(Intent::PutServer(program(&["a server", "--yes"], true))).unwrap();
    assert_eq!(bench.disk.servers[&PROGRAM].health, Health::UNKNOWN);
    let Ok(Granted::Call(call)) = bench.wish(start()) else { panic!("it may run now") };
    bench.reply_call(call, Ok(called(r#"{"resultType":"complete","content":[]}"#)));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
}

#[test]
fn a_confirmation_that_cannot_be_kept_is_none() {
    let mut bench = untrusted();
    bench.full = true;
    assert!(bench.wish(Intent::PutServer(program(&["a server", "--yes"], true))).is_err());
    bench.full = false;
    assert!(matches!(bench.wish(start()), Err(Refusal::NotTrusted(_))), "what was not kept must not count");
}

#[test]
fn another_command_is_another_program() {
    let mut bench = untrusted();
    bench.wish(Intent::PutServer(program(&["a server"], true))).unwrap();
    bench.ask(Intent::Check(PROGRAM));
    bench.wish(Intent::PutServer(program(&["another"], false))).unwrap();
    let said = &what_would_run(&bench).clone();
    let Reason::NotTrusted(of) = &said.reason else { panic!("it says what would be run: {said:?}") };
    assert_eq!(of.command, ["npx", "another"]);
    bench.feed(Input::Discovered { server: PROGRAM, reply: Ok(Box::new(found())) });
    assert_eq!(what_would_run(&bench), said, "an answer of the one before opens nothing");
    bench.feed(Input::Discovered { server: PROGRAM, reply: Err(unreachable()) });
    bench.pass(10_000_000);
    assert_eq!(what_would_run(&bench), said, "nor does its end");
    assert!(matches!(bench.wish(start()), Err(Refusal::NotTrusted(_))));
}

#[test]
fn tasks_of_a_salvaged_program_wait_for_the_confirmation() {
    let mut bench = Bench::new();
    let call = bench.task();
    let row = bench.disk.servers.get_mut(&SERVER).unwrap();
    (row.transport, row.trusted) = (program(&["x"], false).transport, false);
    let mut bench = bench.restart(1_000, crate::Follow::All);
    bench.pass(100_000);
    assert!(!bench.polling(call), "a poll would start it");
    let mut confirmed = bench.disk.servers[&SERVER].clone();
    confirmed.trusted = true;
    bench.wish(Intent::PutServer(confirmed)).unwrap();
    bench.poll(call, Ok(done()));
    assert_eq!(bench.row(call).outcome, Some(Outcome::Ok));
}

#[test]
fn a_url_is_no_program() {
    let mut bench = Bench::new();
    let mut plain = server(1);
    plain.trusted = false;
    bench.wish(Intent::PutServer(plain)).unwrap();
    let token = bench.ask(Intent::Check(SERVER));
    bench.reply_discover(Ok(found()));
    assert_eq!(bench.replies[&token], Ok(Granted::Done));
}
