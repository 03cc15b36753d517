//! Formats of files, told by their first bytes.

/// What bytes are, as far as it is told apart here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlobFormat {
    /// A picture.
    Png,
    /// A picture.
    Jpeg,
    /// A picture, perhaps a moving one.
    Gif,
    /// A picture.
    Webp,
    /// A picture that may hold scripts and name other files.
    Svg,
    /// Sound, as it was recorded.
    Wav,
    /// Packed sound.
    Mp3,
    /// Sound, as a rule.
    Ogg,
    /// Packed sound.
    Flac,
    /// A document.
    Pdf,
    /// An archive, or one of the many formats that are one.
    Zip,
    /// Plain text in UTF-8.
    Text,
    /// Anything else.
    Unknown,
}

/// What is looked through to tell a text from other bytes.
const LOOKED_THROUGH: usize = 4 * 1024;

impl BlobFormat {
    /// By the first bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let at = |place: usize, sign: &[u8]| bytes.get(place..).is_some_and(|rest| rest.starts_with(sign));
        match bytes {
            _ if at(0, b"\x89PNG\r\n\x1a\n") => Self::Png,
            _ if at(0, b"\xff\xd8\xff") => Self::Jpeg,
            _ if at(0, b"GIF87a") || at(0, b"GIF89a") => Self::Gif,
            _ if at(0, b"RIFF") && at(8, b"WEBP") => Self::Webp,
            _ if at(0, b"RIFF") && at(8, b"WAVE") => Self::Wav,
            _ if at(0, b"OggS") => Self::Ogg,
            _ if at(0, b"fLaC") => Self::Flac,
            _ if at(0, b"%PDF-") => Self::Pdf,
            _ if at(0, b"PK\x03\x04") || at(0, b"PK\x05\x06") => Self::Zip,
            _ if at(0, b"ID3") || is_mp3(bytes) => Self::Mp3,
            _ => text(bytes),
        }
    }

    /// The media type of what is shown as what it is; none of all else.
    #[must_use]
    pub fn media_type(self) -> Option<&'static str> {
        Some(match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Wav => "audio/wav",
            Self::Mp3 => "audio/mpeg",
            Self::Ogg => "audio/ogg",
            Self::Flac => "audio/flac",
            _ => return None,
        })
    }

    /// What a file of it ends with, where a program of this machine may open it: nothing that is run, and nothing that may
    /// hold something that is.
    #[must_use]
    pub fn extension(self) -> Option<&'static str> {
        Some(match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Gif => "gif",
            Self::Webp => "webp",
            Self::Wav => "wav",
            Self::Mp3 => "mp3",
            Self::Ogg => "ogg",
            Self::Flac => "flac",
            Self::Pdf => "pdf",
            Self::Text => "txt",
            Self::Svg | Self::Zip | Self::Unknown => return None,
        })
    }
}

/// A frame of MPEG audio, layer III.
fn is_mp3(bytes: &[u8]) -> bool {
    matches!(bytes, [0xff, second, third, ..] if second & 0xe6 == 0xe2 && third >> 4 != 0xf && third & 0x0c != 0x0c)
}

/// Markup that a picture may be, plain text, or neither.
fn text(bytes: &[u8]) -> BlobFormat {
    let looked = bytes.get(..LOOKED_THROUGH).unwrap_or(bytes);
    let text = match std::str::from_utf8(looked) {
        Ok(text) => text,
        // The look ends in the middle of a character.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(looked.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
        }
        Err(_) => return BlobFormat::Unknown,
    };
    let is_odd = |char: char| char.is_control() && !matches!(char, '\t' | '\n' | '\r' | '\x0c' | '\x1b');
    if text.is_empty() || text.contains(is_odd) {
        return BlobFormat::Unknown;
    }
    let begins = text.trim_start_matches('\u{feff}').trim_start();
    match begins.starts_with('<') && text.contains("<svg") {
        true => BlobFormat::Svg,
        false => BlobFormat::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_bytes_are_their_beginning_says() {
        let long = format!("{}é", "x".repeat(LOOKED_THROUGH - 1));
        let cases: [(&[u8], BlobFormat); 16] = [
            (b"\x89PNG\r\n\x1a\nrest", BlobFormat::Png),
            (b"\xff\xd8\xff\xe0", BlobFormat::Jpeg),
            (b"GIF89a", BlobFormat::Gif),
            (b"RIFF\0\0\0\0WEBPVP8 ", BlobFormat::Webp),
            (b"RIFF\0\0\0\0WAVEfmt ", BlobFormat::Wav),
            (b"ID3\x04", BlobFormat::Mp3),
            (b"\xff\xfb\x90\x64", BlobFormat::Mp3),
            (b"PK\x03\x04 a zip, whatever its name says", BlobFormat::Zip),
            (b"<?xml version='1.0'?><svg onload='x()'/>", BlobFormat::Svg),
            (b"\n <svg xmlns='http://www.w3.org/2000/svg'><script>x()</script></svg>", BlobFormat::Svg),
            (b"<html><script>x()</script></html>", BlobFormat::Text),
            (b"plain\n", BlobFormat::Text),
            (long.as_bytes(), BlobFormat::Text),
            (b"\x7fELF\x02\x01", BlobFormat::Unknown),
            (b"MZ\x90\0\x03", BlobFormat::Unknown),
            (b"", BlobFormat::Unknown),
        ];
        for (bytes, format) in cases {
            let begin = String::from_utf8_lossy(bytes.get(..12).unwrap_or(bytes));
            assert_eq!(BlobFormat::of(bytes), format, "{begin}");
        }
    }

    #[test]
    fn nothing_that_could_be_run_has_an_ending() {
        for format in [BlobFormat::Svg, BlobFormat::Zip, BlobFormat::Unknown] {
            assert_eq!((format.extension(), format.media_type()), (None, None), "{format:?}");
        }
        assert_eq!(BlobFormat::of(b"#!/bin/sh\n").extension(), Some("txt"), "a script is opened as a text");
    }
}
