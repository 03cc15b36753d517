//! A request log for people.

use std::fmt::Write;

use signalbox_model::{Brought, Exchange, RequestLog, TaskMethod};

use super::table::Table;
use super::{Hue, sanitise, time, words};
use crate::console::Console;

/// The exchanges as a table, and after it the last states.
pub(crate) fn log(log: &RequestLog, console: &Console) -> String {
    let since = time::both(log.since, console.now());
    if log.exchanges.is_empty() {
        return format!("requests\n  None since {since}. What was before is not remembered.\n");
    }
    let mut text = format!("requests since {since}\n");
    if log.left_out > 0 {
        let _ = writeln!(text, "  {} older lines were let go", log.left_out);
    }
    let mut table = Table::new(["  LAST", "METHOD", "TIMES", "TOOK", "SIZE", "BROUGHT"]);
    for exchange in &log.exchanges {
        let (hue, brought) = brought(exchange);
        table.row([
            (Hue::Dim, format!("  {}", exchange.at)),
            (Hue::Plain, words(&exchange.method)),
            (Hue::Plain, exchange.times.to_string()),
            (Hue::Plain, exchange.took_ms.map(|ms| time::took(ms.into())).unwrap_or_default()),
            (Hue::Plain, exchange.bytes.map(|bytes| format!("{bytes} B")).unwrap_or_default()),
            (hue, brought),
        ]);
    }
    text.push_str(&table.render(console.width(), console.paint()));
    for state in &log.states {
        let _ = write!(text, "state at {}\n{}\n", state.at, sanitise::quoted(state.json.text()));
    }
    text
}

fn brought(exchange: &Exchange) -> (Hue, String) {
    match exchange.brought {
        Brought::News if matches!(exchange.method, TaskMethod::Get | TaskMethod::Told) => {
            (Hue::Plain, "a new state".to_owned())
        }
        Brought::News => (Hue::Plain, "an answer".to_owned()),
        Brought::Same => (Hue::Dim, "nothing new".to_owned()),
        Brought::Error { code, number: None } => (Hue::Red, words(&code)),
        Brought::Error { code, number: Some(number) } => (Hue::Red, format!("{} ({number})", words(&code))),
    }
}
