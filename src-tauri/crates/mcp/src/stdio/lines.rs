//! Lines of bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

use crate::{error::Error, flight::Spool};

/// One line, without its end but perhaps a CR.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// All of it, in the spool.
    Whole,
    /// What stands after the last line end: perhaps all of a line.
    Rest,
    /// More than is taken, and why: its beginning is in the spool, the rest was passed over.
    Cut(Error),
}

/// Reads the next line into the spool, which is empty; none at the end.
pub(super) async fn next_line(
    reader: &mut (impl AsyncBufRead + Unpin),
    spool: &mut Spool,
    limit: usize,
) -> io::Result<Option<Line>> {
    let mut cut = None;
    loop {
        let available = reader.fill_buf().await?;
        let end = available.iter().position(|byte| *byte == b'\n');
        let piece = &available[..end.unwrap_or(available.len())];
        let taken = piece.len().min(limit - spool.len());
        if cut.is_none() {
            cut = spool.push(&piece[..taken]).err();
        }
        if cut.is_none() && taken < piece.len() {
            cut = Some(Error::TooLarge { limit });
        }
        let at_end = available.is_empty();
        let used = end.map_or(piece.len(), |end| end + 1);
        reader.consume(used);
        if at_end && spool.len() == 0 && cut.is_none() {
            return Ok(None);
        }
        if at_end || end.is_some() {
            let whole = if end.is_some() { Line::Whole } else { Line::Rest };
            return Ok(Some(cut.map_or(whole, Line::Cut)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flight::{Flight, Room};

    #[tokio::test]
    async fn cuts_what_is_too_long_and_goes_on_behind_it() {
        let text = b"short\r\n\n0123456789ABC\nexactly-10\nlast";
        for capacity in 1..text.len() {
            let mut reader = tokio::io::BufReader::with_capacity(capacity, text.as_slice());
            let (mut spool, mut lines) = (Flight::new(&Room::default(), 10).spool(), Vec::new());
            while let Some(line) = next_line(&mut reader, &mut spool, 10).await.unwrap() {
                let text = spool.complete().await.unwrap().without_cr();
                lines.push((String::from_utf8(text.bytes().to_vec()).unwrap(), line));
            }
            let expected = [
                ("short", Line::Whole),
                ("", Line::Whole),
                ("0123456789", Line::Cut(Error::TooLarge { limit: 10 })),
                ("exactly-10", Line::Whole),
                ("last", Line::Rest),
            ];
            assert_eq!(lines, expected.map(|(text, line)| (text.to_owned(), line)), "buffer of {capacity}");
        }
    }
}
