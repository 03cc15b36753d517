//! What is long in a result, or in what was received, in pieces: nobody gets 20 MB in one string.

use signalbox_mcp::{self as mcp, base64_of};
use signalbox_model::{CallId, Json, PayloadKind};

use super::blob;
use crate::{
    ApiError, Code,
    command::{CarryOut, PayloadText, ResultBlob, ResultText, ShownBlob, TextPiece},
    local::Local,
    part::{WholePart, whole},
};

/// The longest piece, in bytes.
const PIECE: usize = 64 * 1024;

impl CarryOut<PayloadText> for Local {
    async fn carry_out(&self, PayloadText { call, kind, from }: PayloadText) -> Result<TextPiece, ApiError> {
        let _alone = self.long_result.lock().await;
        let found =
            self.read(move |reads| Ok(reads.payload(call, kind)?.map(|json| piece(json.text(), from))));
        let none = || ApiError::new(Code::UnknownItem, format!("nothing of this kind is kept of {call}"));
        found.await?.ok_or_else(none)
    }
}

impl CarryOut<ResultText> for Local {
    async fn carry_out(&self, ResultText { call, part, from }: ResultText) -> Result<TextPiece, ApiError> {
        self.of_result(call, move |result| match whole(result, part)? {
            WholePart::Text(text) => Some(piece(&text, from)),
            WholePart::Json(raw) => Some(piece(raw.get(), from)),
            WholePart::Blob(_) => None,
        })
        .await
    }
}

impl CarryOut<ResultBlob> for Local {
    async fn carry_out(&self, ResultBlob { call, part }: ResultBlob) -> Result<ShownBlob, ApiError> {
        self.of_result(call, move |result| match whole(result, Some(part))? {
            WholePart::Blob(bytes) => shown(bytes),
            WholePart::Text(_) | WholePart::Json(_) => None,
        })
        .await
    }
}

impl Local {
    /// What is read of a kept result, of which one at a time is in memory.
    async fn of_result<T: Send + 'static>(
        &self,
        call: CallId,
        read: impl FnOnce(&mcp::ToolResult<'_>) -> Option<T> + Send + 'static,
    ) -> Result<T, ApiError> {
        let _alone = self.long_result.lock().await;
        let found = self.read(move |reads| {
            let json: Option<Json> = reads.payload(call, PayloadKind::Result)?;
            Ok(json.and_then(|json| read(&mcp::ToolResult::read(&json))))
        });
        let none = || ApiError::new(Code::UnknownItem, format!("{call} has no result with such a part"));
        found.await?.ok_or_else(none)
    }
}

/// What is drawn or played; none of all else.
pub(super) fn shown(bytes: mcp::Blob<'_>) -> Option<ShownBlob> {
    let view = blob::view(bytes, None);
    let media_type = bytes.header().format.media_type().filter(|_| view.unshown.is_none())?;
    Some(ShownBlob { media_type: media_type.to_owned(), base64: base64_of(&bytes.bytes()?) })
}

/// From one byte on, up to the end of a line where the piece has one in its second half.
fn piece(text: &str, from: u64) -> TextPiece {
    let start = text.floor_char_boundary(usize::try_from(from).unwrap_or(usize::MAX).min(text.len()));
    let rest = &text[start..];
    let most = rest.floor_char_boundary(PIECE.min(rest.len()));
    let end = match rest[..most].rfind('\n') {
        Some(line) if most < rest.len() && line > PIECE / 2 => line + 1,
        _ => most,
    };
    let next = (end < rest.len()).then_some((start + end) as u64);
    TextPiece { text: rest[..end].to_owned(), from: start as u64, next, bytes: text.len() as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_megabytes_come_in_pieces_of_whole_lines() {
        let text = "a line é of some length\n".repeat(800_000);
        let (mut from, mut read, mut pieces) = (0, String::new(), 0);
        loop {
            let piece = piece(&text, from);
            assert!(piece.text.len() <= PIECE && piece.text.ends_with('\n'), "{from}");
            assert_eq!((piece.from, piece.bytes), (from, text.len() as u64));
            read.push_str(&piece.text);
            pieces += 1;
            let Some(next) = piece.next else { break };
            from = next;
        }
        assert_eq!(read, text, "nothing is lost between two pieces");
        assert!(pieces > 300, "{pieces}");
    }

    #[test]
    fn a_piece_is_of_whole_characters_wherever_it_begins() {
        let text = "é".repeat(PIECE);
        assert_eq!(piece(&text, 3).from, 2);
        let last = piece(&text, u64::MAX);
        assert_eq!((last.text.as_str(), last.from, last.next), ("", text.len() as u64, None));
        assert_eq!(piece("", 0).next, None);
    }
}
