//! What a salvage brought, in words.

use signalbox_api::rescue::{SalvageReport, SalvagedTable};

/// The tables in the order of what matters to people, with their words. What is not among them has its own name.
const WORDS: [(&str, &str); 12] = [
    ("servers", "servers"),
    ("calls", "tasks"),
    ("requests", "questions"),
    ("payloads", "arguments and results"),
    ("payload_files", "large arguments and results"),
    ("decisions", "entries of the log of decisions"),
    ("events", "entries of timelines"),
    ("rounds", "rounds of questions"),
    ("tools", "lists of tools"),
    ("sessions", "sessions with servers"),
    ("remarks", "notes of tasks"),
    ("settings", "settings"),
];

/// What happened, and what to do next.
pub(crate) fn said(report: &SalvageReport) -> Vec<String> {
    let mut said = Vec::new();
    if !report.whole() {
        said.push("Not everything could be saved. The list says what was lost".to_owned());
    } else if report.sound {
        said.push(
            "The database was not damaged. A new one with all that was in it has taken its place".to_owned(),
        );
    } else {
        said.push("The database was damaged. All that was in it could be saved".to_owned());
    }
    if report.numbering_lost {
        said.push("The numbering was lost. It was made again from what is there".to_owned());
    }
    if let Some(aside) = &report.aside {
        said.push(format!("What was there before is in {}", aside.display()));
    }
    if !report.lost_servers.is_empty() {
        let names: Vec<String> = report.lost_servers.iter().map(ToString::to_string).collect();
        said.push(format!("Say again how to reach {}: `signalbox server edit`", names.join(", ")));
    }
    if report.programs > 0 {
        let programs = super::counted(report.programs, "program waits", "programs wait");
        said.push(format!(
            "{programs} to be confirmed again, and none is started before that: `signalbox server trust NAME` shows what \
             would be run"
        ));
    }
    said.push(
        "Next, `signalbox doctor` looks at everything, and `signalbox verify` at the log of decisions"
            .to_owned(),
    );
    said
}

/// What was kept and lost, of each kind of which there was anything.
pub(crate) fn table(report: &SalvageReport) -> String {
    let place = |table: &&SalvagedTable| WORDS.iter().position(|(name, _)| *name == table.name);
    let mut tables: Vec<&SalvagedTable> =
        report.tables.iter().filter(|table| table.kept > 0 || table.lost != Some(0)).collect();
    tables.sort_by_key(|table| place(table).unwrap_or(WORDS.len()));
    tables.into_iter().map(|table| line(table, report.removed_servers)).collect()
}

fn line(table: &SalvagedTable, removed: u64) -> String {
    let words = WORDS.iter().find(|(name, _)| *name == table.name).map_or(table.name, |(_, words)| words);
    let removed = if table.name == "servers" { removed } else { 0 };
    let mut line = format!("{words}: {} kept", table.kept.saturating_sub(removed));
    if removed > 0 {
        line.push_str(&format!(" (and {removed} that had been removed)"));
    }
    match table.lost {
        Some(0) => {}
        Some(lost) => line.push_str(&format!(", {lost} lost")),
        None => line.push_str(", some lost"),
    }
    line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> SalvageReport {
        let table = |name, kept, lost| SalvagedTable { name, kept, lost };
        SalvageReport {
            tables: vec![
                table("servers", 2, Some(0)),
                table("tools", 0, Some(1)),
                table("settings", 0, Some(0)),
                table("calls", 12, Some(0)),
                table("requests", 3, None),
            ],
            lost_servers: Vec::new(),
            numbering_lost: false,
            removed_servers: 1,
            programs: 1,
            sound: false,
            aside: None,
        }
    }

    #[test]
    fn it_is_said_in_words_that_people_know() {
        assert_eq!(
            table(&report()),
            "servers: 1 kept (and 1 that had been removed)\ntasks: 12 kept\nquestions: 3 kept, some lost\n\
             lists of tools: 0 kept, 1 lost\n"
        );
        let said = said(&report()).join("\n");
        for part in
            ["Not everything", "1 program waits to be confirmed", "signalbox doctor", "signalbox verify"]
        {
            assert!(said.contains(part), "{part}: {said}");
        }
    }

    #[test]
    fn a_database_that_was_sound_is_called_so() {
        let tables = vec![SalvagedTable { name: "calls", kept: 1, lost: Some(0) }];
        let sound = SalvageReport { tables, programs: 0, sound: true, ..report() };
        let said = said(&sound).join("\n");
        assert!(said.contains("was not damaged") && said.contains("has taken its place"), "{said}");
        assert!(!said.contains("confirmed"), "{said}");
    }
}
