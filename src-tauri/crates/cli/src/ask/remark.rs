//! What a person notes beside a decision, for their own log alone.

use signalbox_model::LONGEST_REMARK;

use crate::console::Console;

/// Says which note goes with what is decided next, if there is one.
pub(super) fn say(console: &Console, remark: Option<&str>) {
    if let Some(remark) = remark {
        console.say(&format!("Your note for your own log: {remark}"));
    }
}

/// Asks for that note; nothing typed takes it away. False once the input has ended.
pub(super) async fn ask(console: &Console, remark: &mut Option<String>) -> bool {
    loop {
        let Some(line) = console.line("Note for your own log, never sent (Enter for none): ").await else {
            return false;
        };
        let line = line.trim();
        if line.chars().count() <= LONGEST_REMARK {
            *remark = Some(line.to_owned()).filter(|line| !line.is_empty());
            return true;
        }
        console.say(&format!("At most {LONGEST_REMARK} characters."));
    }
}
