//! The palette: what somebody may mean by a few letters, out of all that there is.
//!
//! Tasks and questions are ranked by their rows in the catalogue. Only those that are shown are read. Servers and saved views are
//! few, and of tools the names are kept. The host's own entries are ranked beside them, so that one matcher orders all.

mod known;
mod needle;
mod rank;
mod tools;
mod words;

use std::{cmp::Reverse, collections::HashSet};

use signalbox_catalogue::{Key, NarrowRequest, NarrowRow, NarrowTask};
use signalbox_store::ReadError;

use super::{Local, catalogue::Listed};
use crate::{
    ApiError, PaletteEntry, PaletteItem,
    command::{CarryOut, Palette, Ranked},
};
use known::Known;
use needle::Needle;
use rank::{Fit, Ranking, weighed};
pub(super) use tools::KnownTools;

/// The most entries of one reply.
const MOST: usize = 50;
/// The most of one kind: none drowns another. So many count of those that were chosen of late, too.
const OF_KIND: usize = 8;
/// The most of one kind where nothing is typed yet.
const AT_FIRST: usize = 5;

impl CarryOut<Palette> for Local {
    async fn carry_out(&self, act: Palette) -> Result<Ranked, ApiError> {
        let (catalogue, tools) = (self.begun(), self.known_tools.clone());
        self.read(move |reads| {
            let known = Known::read(reads, &catalogue, &tools, &act)?;
            let mut needle = Needle::new(&act.text);
            let mut entries = if needle.is_empty() { at_first(&known)? } else { found(&known, &mut needle)? };
            entries.truncate((act.limit as usize).min(MOST));
            Ok(Ranked { entries, complete: catalogue.is_complete() })
        })
        .await
    }
}

/// What was chosen of late, then what waits and what happened last, then where one can go.
fn at_first(known: &Known<'_>) -> Result<Vec<PaletteEntry>, ReadError> {
    let waiting = known.catalogue.best::<NarrowRequest>(AT_FIRST, |row, world| {
        (row.word(Key::Is, world) == Some("waiting")).then(|| row.changed())
    })?;
    let last = known.catalogue.best::<NarrowTask>(AT_FIRST, |row, _| Some(row.changed()))?;
    let waiting = waiting.into_iter().map(|(_, id)| PaletteItem::Request { id });
    let last = last.into_iter().map(|(_, id)| PaletteItem::Task { id });
    let mut entries = Vec::new();
    for item in known.recent.iter().cloned().chain(waiting).chain(last) {
        entries.extend(known.entry(&item)?);
    }
    entries.extend(known.views().take(AT_FIRST).chain(known.own()));
    let mut seen = HashSet::new();
    entries.retain(|entry: &PaletteEntry| seen.insert(entry.item.clone()));
    Ok(entries)
}

/// What fits, the kind first of which something fits best.
fn found(known: &Known<'_>, needle: &mut Needle) -> Result<Vec<PaletteEntry>, ReadError> {
    let mut kinds = vec![
        rank::tools(needle, known),
        rows::<NarrowRequest>(needle, known, PaletteItem::request, |id| PaletteItem::Request { id })?,
        rows::<NarrowTask>(needle, known, PaletteItem::task, |id| PaletteItem::Task { id })?,
        rank::named(needle, known, known.views()),
        rank::named(needle, known, known.servers()),
        rank::named(needle, known, known.own()),
    ];
    kinds.retain(|kind| !kind.is_empty());
    // Of kinds that fit as well as another, the order above holds.
    kinds.sort_by_key(|kind| Reverse(kind[0].0));
    let mut entries: Vec<PaletteEntry> = kinds.into_iter().flatten().map(|(_, entry)| entry).collect();
    for entry in &mut entries {
        entry.matched = needle.places(&entry.words);
    }
    Ok(entries)
}

/// The rows that fit best, as they are now. `id` tells those that were chosen of late.
fn rows<L: Listed>(
    needle: &mut Needle,
    known: &Known<'_>,
    id: impl Fn(&PaletteItem) -> Option<L::Id>,
    item: impl Fn(L::Id) -> PaletteItem,
) -> Result<Vec<Fit>, ReadError> {
    let recent = known.recent_of(id);
    let mut ranking = Ranking::<L>::new(needle);
    let best = known
        .catalogue
        .best::<L>(OF_KIND, |row, world| Some(weighed(ranking.of(row, world)?, &recent, &row.id())))?;
    let mut fits = Vec::new();
    for (fit, id) in best {
        fits.extend(known.entry(&item(id))?.map(|entry| (fit, entry)));
    }
    Ok(fits)
}
