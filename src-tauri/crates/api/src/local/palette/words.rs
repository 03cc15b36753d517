//! What entries are called.

use signalbox_model::{CallBrief, RequestBrief, Server, ServerId};

use super::tools::KnownTool;
use crate::{OwnEntry, PaletteEntry, PaletteItem, SavedView};

/// The longest line, in characters.
const LONGEST: usize = 200;

/// The beginning of a text on one line.
pub(super) fn line(text: &str, longest: usize) -> String {
    let mut line = String::new();
    let mut left = longest;
    for word in text.split_whitespace() {
        let gap = if line.is_empty() { "" } else { " " };
        let piece: String = gap.chars().chain(word.chars()).take(left).collect();
        left -= piece.chars().count();
        line.push_str(&piece);
        if left == 0 {
            break;
        }
    }
    line
}

fn entry(item: PaletteItem, words: &str) -> PaletteEntry {
    PaletteEntry {
        item,
        words: line(words, LONGEST),
        matched: Vec::new(),
        about: None,
        server: None,
        outcome: None,
        ended_at: None,
        waits: false,
        expires_at: None,
    }
}

fn of(server: ServerId, servers: &[Server]) -> Option<String> {
    servers.iter().find(|known| known.id == server).map(|known| line(&known.name, LONGEST))
}

fn unless_empty(text: &str) -> Option<String> {
    Some(line(text, LONGEST)).filter(|text| !text.is_empty())
}

pub(super) fn tool(tool: &KnownTool, servers: &[Server]) -> PaletteEntry {
    PaletteEntry {
        about: unless_empty(&tool.about),
        server: of(tool.server, servers),
        ..entry(tool.item(), &tool.name)
    }
}

pub(super) fn task(task: &CallBrief, servers: &[Server]) -> PaletteEntry {
    let words = format!("{} {}", task.tool, task.summary);
    // A handle that was made elsewhere has neither.
    let words = if words.trim().is_empty() { task.id.to_string() } else { words };
    PaletteEntry {
        about: task.message.as_deref().and_then(unless_empty),
        server: of(task.server, servers),
        outcome: task.outcome,
        ended_at: task.ended_at,
        waits: task.outcome.is_none() && task.open_requests > 0,
        ..entry(PaletteItem::Task { id: task.id }, &words)
    }
}

pub(super) fn request(request: &RequestBrief, servers: &[Server]) -> PaletteEntry {
    let about = format!("{} {}", request.tool, request.summary);
    // Not every question says something.
    let words = if request.message.trim().is_empty() { about.trim() } else { request.message.as_str() };
    let words = if words.is_empty() { request.id.to_string() } else { words.to_owned() };
    let waits = request.state.needs_person(request.closed_at);
    PaletteEntry {
        about: unless_empty(&about).filter(|about| *about != words),
        server: of(request.server, servers),
        waits,
        expires_at: request.expires_at.filter(|_| waits),
        ..entry(PaletteItem::Request { id: request.id }, &words)
    }
}

pub(super) fn view(view: &SavedView, servers: &[Server]) -> PaletteEntry {
    let item = PaletteItem::View { name: view.name.clone(), server: view.server };
    PaletteEntry { server: view.server.and_then(|server| of(server, servers)), ..entry(item, &view.name) }
}

pub(super) fn server(server: &Server) -> PaletteEntry {
    entry(PaletteItem::Server { id: server.id }, &server.name)
}

pub(super) fn own(own: &OwnEntry) -> PaletteEntry {
    entry(PaletteItem::Own { id: own.id.clone() }, &own.words)
}
