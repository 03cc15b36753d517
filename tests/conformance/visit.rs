//! Visits to a scenario's server.

use std::sync::Arc;

use signalbox_mcp::{
    CallOptions, CallReply, Called, Client, Connection, Declared, Endpoint, Error, Options, Remembered,
    RoundAnswers, Session, SessionEvents, Tool,
};
use signalbox_model::Json;

use crate::account::{self, SignedIn};
use crate::{Failure, Scenario, asked, calls};

/// Rounds that one call may take.
const ROUNDS: usize = 8;
/// Sign-ins that one scenario may take: a server that always wants a better one gets no more.
const SIGN_INS: usize = 3;

/// Visits the server until it is content with who we are.
pub(crate) async fn visit(scenario: &Scenario) -> Result<(), Failure> {
    let options = Options {
        declared: Declared { sampling: true, roots: true, host_tasks: false },
        ..Options::default()
    };
    let endpoint = Endpoint::Http { url: scenario.url.clone(), headers: Vec::new() };
    let client = Client::new(endpoint, options);
    let account = account::of(scenario).await?;
    client.authorize_with(Arc::new(SignedIn(account.clone())));
    let mut sign_ins = 0;
    loop {
        match once(&client, scenario).await {
            Err(Failure::Mcp(Error::SignInNeeded { challenge, .. })) if sign_ins < SIGN_INS => {
                sign_ins += 1;
                account::sign_in(&account, challenge.as_deref()).await?;
            }
            visited => return visited,
        }
    }
}

/// Connects, lists the tools and calls them.
async fn once(client: &Client, scenario: &Scenario) -> Result<(), Failure> {
    match client.connect(Remembered::default()).await? {
        Connection::Modern(_) => call_modern(client, scenario).await,
        Connection::Legacy { session, events, .. } => call_legacy(&session, events, scenario).await,
    }
}

async fn call_modern(client: &Client, scenario: &Scenario) -> Result<(), Failure> {
    for (tool, arguments) in calls::of(scenario, client.list_tools().await?) {
        call_in_rounds(client, &tool, &arguments).await?;
    }
    Ok(())
}

/// Calls a tool and answers what it asks, round by round.
async fn call_in_rounds(client: &Client, tool: &Tool, arguments: &Json) -> Result<(), Failure> {
    let mut round = None;
    for _ in 0..ROUNDS {
        let options =
            CallOptions { input_schema: tool.input_schema.clone(), round, ..CallOptions::default() };
        let reply = answered(client.call_tool(&tool.name, arguments, options).await)?;
        let Some(CallReply::InputRequired { request_state, input_requests }) = reply else { return Ok(()) };
        let responses =
            input_requests.iter().filter_map(|(key, request)| Some((key.clone(), asked::response(request)?)));
        round = Some(RoundAnswers { request_state, input_responses: responses.collect() });
    }
    Err(Failure::Rounds)
}

async fn call_legacy(session: &Session, events: SessionEvents, scenario: &Scenario) -> Result<(), Failure> {
    // Reads until the session ends with its last clone.
    tokio::select! {
        called = async {
            for (tool, arguments) in calls::of(scenario, session.list_tools().await?) {
                answered(session.call_tool(&tool.name, &arguments, CallOptions::default()).await)?;
            }
            Ok(())
        } => called,
        failure = asked::reply_to_all(session, events) => Err(failure),
    }
}

/// An error of the server is an answer, too: some scenarios' servers know no calls.
fn answered(called: Result<Called, Error>) -> Result<Option<CallReply>, Error> {
    match called {
        Ok(called) => Ok(Some(called.reply)),
        Err(Error::Rpc { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
