//! Lines of bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// All of it, in the buffer.
    Whole,
    /// What stands after the last line end: perhaps all of a line.
    Rest,
    /// Longer than allowed: its beginning is in the buffer, the rest was passed over.
    Cut,
}

/// Reads the next line into `buffer`; none at the end.
pub(super) async fn next_line(
    reader: &mut (impl AsyncBufRead + Unpin),
    buffer: &mut Vec<u8>,
    limit: usize,
) -> io::Result<Option<Line>> {
    buffer.clear();
    let mut cut = false;
    loop {
        let available = reader.fill_buf().await?;
        let end = available.iter().position(|byte| *byte == b'\n');
        let piece = &available[..end.unwrap_or(available.len())];
        let taken = piece.len().min(limit - buffer.len());
        cut |= taken < piece.len();
        buffer.extend_from_slice(&piece[..taken]);
        let at_end = available.is_empty();
        let used = end.map_or(piece.len(), |end| end + 1);
        reader.consume(used);
        if at_end && buffer.is_empty() && !cut {
            return Ok(None);
        }
        if at_end || end.is_some() {
            if buffer.last() == Some(&b'\r') {
                buffer.pop();
            }
            return Ok(Some(match end {
                _ if cut => Line::Cut,
                Some(_) => Line::Whole,
                None => Line::Rest,
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn cuts_what_is_too_long_and_goes_on_behind_it() {
        let text = b"short\r\n\n0123456789ABC\nexactly-10\nlast";
        for capacity in 1..text.len() {
            let mut reader = tokio::io::BufReader::with_capacity(capacity, text.as_slice());
            let (mut buffer, mut lines) = (Vec::new(), Vec::new());
            while let Some(line) = next_line(&mut reader, &mut buffer, 10).await.unwrap() {
                lines.push((String::from_utf8(buffer.clone()).unwrap(), line));
            }
            let expected = [
                ("short", Line::Whole),
                ("", Line::Whole),
                ("0123456789", Line::Cut),
                ("exactly-10", Line::Whole),
                ("last", Line::Rest),
            ];
            assert_eq!(lines, expected.map(|(text, line)| (text.to_owned(), line)), "buffer of {capacity}");
        }
    }
}
