//! Lists that people ask for: `step` says whether a server may be asked, and hears what came; the list is theirs.

use signalbox_mcp::Error;
use signalbox_model::{Health, Server, ServerId, Transport};

use super::bench::{Bench, SERVER, found, json, rpc, unreachable};
use crate::{Granted, Input, Intent, List, Refusal};

fn tools_of(server: ServerId) -> Intent {
    Intent::List { server, list: List::Tools }
}

fn tasks_of(server: ServerId) -> Intent {
    Intent::List { server, list: List::Tasks }
}

#[test]
fn two_people_who_ask_at_once_each_have_a_request_of_their_own() {
    let mut bench = Bench::new();
    let (tools, tasks, again) =
        (bench.ask(tools_of(SERVER)), bench.ask(tasks_of(SERVER)), bench.ask(tools_of(SERVER)));
    let asked = [(tools, SERVER, List::Tools), (tasks, SERVER, List::Tasks), (again, SERVER, List::Tools)];
    assert_eq!(bench.listings, asked, "each under the name of whoever asked");
    bench.feed(Input::Listed { server: SERVER, reply: Ok(json("[]")) });
    assert!(
        [tools, tasks, again].iter().all(|token| !bench.replies.contains_key(token)),
        "no list is in here"
    );
}

#[test]
fn an_error_of_a_list_is_told_to_nobody_else() {
    let mut bench = Bench::new();
    let check = bench.ask(Intent::Check(SERVER));
    for error in [rpc(-32603), unreachable()] {
        for ask in [tools_of, tasks_of] {
            let token = bench.ask(ask(SERVER));
            bench.feed(Input::NotListed { server: SERVER, token, error: error.clone() });
            let why = Refusal::Server(Box::new(error.clone()));
            assert_eq!(bench.replies[&token], Err(why), "who asked is told what came of that request");
            assert!(!bench.replies.contains_key(&check), "a check waits for its own answer");
        }
    }
    bench.reply_discover(Ok(found()));
    assert_eq!(bench.replies[&check], Ok(Granted::Done));
    assert!(matches!(bench.disk.servers[&SERVER].health, Health::Ok { .. }));
}

#[test]
fn a_list_whose_connection_was_closed_under_it_is_refused_for_the_reason_of_closing() {
    let sign_in = Error::SignInNeeded { status: 401, challenge: None };
    let mut bench = Bench::new();
    let token = bench.ask(tools_of(SERVER));
    bench.feed(Input::Listed { server: SERVER, reply: Err(sign_in.clone()) });
    assert_eq!(bench.disconnected, 1, "another request's answer closed it");
    bench.feed(Input::NotListed { server: SERVER, token, error: Error::Closed });
    assert_eq!(bench.replies[&token], Err(Refusal::Server(Box::new(sign_in))));
}

#[test]
fn who_asks_a_server_that_may_not_be_spoken_to_is_refused_and_nothing_is_started() {
    let mut bench = Bench::new();
    let command = Transport::Stdio { command: "npx".to_owned(), args: vec![], env: vec![], cwd: None };
    let program = Server { trusted: false, ..Server::new(ServerId(2), "local", command) };
    let Ok(Granted::Server(program)) = bench.wish(Intent::AddServer(program)) else { panic!("a server") };
    let off = Server { enabled: false, ..bench.disk.servers[&SERVER].clone() };
    bench.wish(Intent::PutServer(off)).unwrap();
    for ask in [tools_of, tasks_of] {
        assert!(matches!(bench.wish(ask(program)), Err(Refusal::NotTrusted(_))));
        assert_eq!(bench.wish(ask(SERVER)), Err(Refusal::Disabled));
        assert_eq!(bench.wish(ask(ServerId(9))), Err(Refusal::UnknownServer));
    }
    assert_eq!((bench.listings.as_slice(), bench.flights.as_slice()), ([].as_slice(), [].as_slice()));
}

#[test]
fn how_a_server_is_reached_is_told_also_of_one_that_may_not_be_asked() {
    let mut bench = Bench::new();
    let reached = |bench: &mut Bench| match bench.wish(Intent::Line(SERVER)) {
        Ok(Granted::Line(line)) => line,
        other => panic!("{other:?}"),
    };
    let before = reached(&mut bench);
    let known = bench.disk.servers[&SERVER].clone();
    let moved = Transport::Http { url: "https://b.example/mcp".to_owned(), headers: Vec::new() };
    let off = Server { enabled: false, transport: moved.clone(), ..known };
    bench.wish(Intent::PutServer(off.clone())).unwrap();
    let now = reached(&mut bench);
    assert_eq!((now.server, &*now.transport), (SERVER, &moved), "as it is configured now");
    assert_ne!(now, before);
    bench.wish(Intent::PutServer(Server { removed_at: Some(bench.now.wall), ..off })).unwrap();
    assert_eq!(reached(&mut bench), now, "who removes it signs out there");
    assert_eq!(bench.wish(Intent::Line(ServerId(9))), Err(Refusal::UnknownServer));
    assert!(bench.flights.is_empty(), "nothing was asked");
}

#[test]
fn who_asks_leaves_nothing_in_the_state() {
    let mut bench = Bench::new();
    bench.feed(Input::Listed { server: SERVER, reply: Ok(json("[]")) });
    let before = format!("{:?}", bench.state.rooms.servers);
    bench.ask(tools_of(SERVER));
    bench.ask(tasks_of(SERVER));
    assert_eq!(format!("{:?}", bench.state.rooms.servers), before, "so a caller that goes away leaves none");
}
