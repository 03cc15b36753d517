//! What can be said to a question, and what that means, in words.

use signalbox_api::RequestDetail;
use signalbox_model::{Accept, Identity, No, RequestId, Settled, Timestamp, Word};

use super::answered::{content, decided_by};
use super::{DESTROYS, page, time};

/// What can be done about a question, or why nothing can: at least one line.
pub(crate) fn possible(detail: &RequestDetail) -> Vec<String> {
    let (id, ways) = (detail.row.id, detail.ways);
    let mut said = Vec::new();
    if let Some(settled) = ways.settled {
        said.push(kept(detail).unwrap_or_else(|| sentence(settled.text())));
    }
    if let Some(accept) = ways.accept {
        let how = match accept {
            Accept::Content => "--content takes its fields",
            Accept::Page if page::opens(detail) => {
                "accepting means that you agree to visit its page; --open opens the page first"
            }
            Accept::Page => "accepting means that you agree to visit its page, which you open yourself",
            Accept::Text => "--content takes what the model would say",
        };
        said.push(format!("`signalbox answer {id} --accept`: {how}."));
        if detail.destructive {
            said.push(format!(
                "Beware: {DESTROYS}. Away from a terminal accepting takes --destructive, too."
            ));
        } else if detail.unlisted {
            said.push(
                "Its server has not listed the tool yet. It is asked before you accept whether the tool says that it may destroy \
                 something."
                    .to_owned(),
            );
        }
    }
    if let Some(no) = ways.decline {
        said.push(format!("`signalbox answer {id} --decline`: {}.", no.text()));
    }
    if let Some(no) = ways.dismiss {
        said.push(format!("`signalbox answer {id} --cancel` dismisses it: {}.", no.text()));
    }
    if ways.take_back {
        said.push(format!("`signalbox undo {id}` takes the answer back."));
    }
    if ways.put_away {
        said.push(format!("`signalbox put-away {id}` puts it away."));
    }
    said
}

/// Why a question takes no answer now, what was decided, and what can be done instead.
pub(crate) fn settled(detail: &RequestDetail, settled: Settled, again: bool, now: Timestamp) -> String {
    let row = &detail.row;
    let id = row.id;
    let mut said = vec![format!("{id} cannot be answered: {}", settled.text())];
    if settled == Settled::Closed {
        let how = row.reason.map(|reason| format!(" ({})", super::words(&reason))).unwrap_or_default();
        let when = row.closed_at.map(|at| format!(", since {}", time::both(at, now))).unwrap_or_default();
        said[0].push_str(&format!("{how}{when}"));
    }
    if let Some(answer) = &row.answer {
        let by = row.decided_by.map(|by| format!(" by {}", decided_by(by)));
        let content = content(answer);
        let (by, at) = (by.unwrap_or_default(), time::both(answer.decided_at, now));
        said.push(format!("It was decided{by} at {at}: {}{content}", answer.action.word()));
    }
    said.push("Nothing of this answer was sent".to_owned());
    if detail.ways.take_back {
        said.push(format!("`signalbox undo {id}` takes the earlier one back"));
    } else if again {
        said.push("--again helps only where nobody knows whether an answer arrived, or was taken".to_owned());
    }
    said.join(". ")
}

/// Of an answer that waits for the others of its round: for which, and whether they are open or can still be undone. None of
/// any other.
pub(crate) fn kept(detail: &RequestDetail) -> Option<String> {
    let round = detail.round.as_ref().filter(|_| detail.ways.settled == Some(Settled::OnItsWay))?;
    let others = round.undecided.iter().filter(|id| **id != detail.row.id);
    // What is undecided and not open is within its undo window.
    let (open, held): (Vec<_>, Vec<_>) = others.partition(|id| detail.siblings.contains(id));
    let open = listed(&open, "which is still open", "which are still open");
    let held = listed(&held, "whose answer can still be undone", "whose answers can still be undone");
    let with: Vec<String> = open.into_iter().chain(held).collect();
    (!with.is_empty()).then(|| format!("Kept. It goes out {}.", with.join(", and ")))
}

/// `with r2, r3, which are still open`
fn listed(ids: &[&RequestId], one: &str, several: &str) -> Option<String> {
    let are = match ids {
        [] => return None,
        [_] => one,
        [_, _, ..] => several,
    };
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    Some(format!("with {}, {are}", ids.join(", ")))
}

/// What a no meant, once it is said.
pub(crate) fn after_no(no: No, detail: &RequestDetail) -> String {
    match (no, detail.row.call) {
        (No::Told, _) if matches!(detail.identity, Identity::Wire { .. }) => {
            "The answer was sent. Nothing on this wire tells whether it arrived.".to_owned()
        }
        (No::Told, _) => "The server has the answer.".to_owned(),
        (No::Unsaid, Some(call)) => {
            format!("The server hears nothing. Its task waits until `signalbox cancel {call}`.")
        }
        (No::GivesUp, _) => {
            "The call is given up, as there was no way to say no to this question alone.".to_owned()
        }
        (No::Error | No::Unsaid, _) => sentence(no.text()),
    }
}

/// What a person at the terminal can choose, and what it means where that is not plain.
pub(crate) fn choice(detail: &RequestDetail) -> (String, Option<String>) {
    let ways = detail.ways;
    let opens = ways.accept == Some(Accept::Page) && page::opens(detail);
    let open = opens.then_some("[o]pen");
    let accept = ways.accept.map(|accept| match accept {
        Accept::Page => "[a]ccept (opened elsewhere)",
        Accept::Content | Accept::Text => "[a]ccept",
    });
    let letters =
        [open, accept, ways.decline.map(|_| "[d]ecline"), ways.dismiss.map(|_| "dis[m]iss"), Some("[n]ote")];
    let letters: Vec<&str> = letters.into_iter().flatten().collect();
    let meaning = ways.decline.filter(|no| *no != No::Told);
    let meaning = meaning.map(|no| format!("Declining means: {}.", no.text()));
    (format!("{} or [l]ater? ", letters.join(", ")), meaning)
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
