//! How large a picture is, as its header says: nothing of it is unpacked for that.

use super::BlobFormat;

/// Width and height in pixels, where they stand in these bytes.
pub(super) fn of(format: BlobFormat, bytes: &[u8]) -> Option<(u32, u32)> {
    match format {
        BlobFormat::Png => {
            (bytes.get(12..16)? == b"IHDR").then_some(())?;
            Some((big(bytes, 16, 4)?, big(bytes, 20, 4)?))
        }
        BlobFormat::Jpeg => jpeg(bytes),
        BlobFormat::Gif => gif(bytes),
        BlobFormat::Webp => webp(bytes),
        _ => None,
    }
}

/// So many bytes, the first one the highest.
fn big(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(count)?)?;
    Some(bytes.iter().fold(0, |number, byte| (number << 8) | u32::from(*byte)))
}

/// So many bytes, the first one the lowest.
fn little(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(count)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| (number << 8) | u32::from(*byte)))
}

/// Segment after segment, up to the one that begins a frame.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let marker = *bytes.get(at + 1).filter(|_| bytes.get(at) == Some(&0xff))?;
        match marker {
            // Filling.
            0xff => at += 1,
            // Without a length.
            0x01 | 0xd0..=0xd8 => at += 2,
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                return Some((big(bytes, at + 7, 2)?, big(bytes, at + 5, 2)?));
            }
            // The picture itself, or its end, before anything said how large it is.
            0xd9 | 0xda => return None,
            _ => at += 2 + big(bytes, at + 2, 2)? as usize,
        }
    }
}

/// The screen, or the first frame where that is larger: some draw it all the same.
fn gif(bytes: &[u8]) -> Option<(u32, u32)> {
    let (width, height) = (little(bytes, 6, 2)?, little(bytes, 8, 2)?);
    let colours = |packed: u8| if packed & 0x80 == 0 { 0 } else { 3 << ((packed & 7) + 1) };
    let mut at = 13 + colours(*bytes.get(10)?);
    loop {
        match *bytes.get(at)? {
            // An extension, in blocks that say how long they are.
            0x21 => {
                at += 2;
                loop {
                    let length = usize::from(*bytes.get(at)?);
                    at += 1 + length;
                    if length == 0 {
                        break;
                    }
                }
            }
            0x2c => {
                let right = little(bytes, at + 1, 2)? + little(bytes, at + 5, 2)?;
                let bottom = little(bytes, at + 3, 2)? + little(bytes, at + 7, 2)?;
                return Some((width.max(right), height.max(bottom)));
            }
            _ => return None,
        }
    }
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8X" => Some((little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1)),
        b"VP8 " => Some((little(bytes, 26, 2)? & 0x3fff, little(bytes, 28, 2)? & 0x3fff)),
        b"VP8L" => {
            let packed = little(bytes, 21, 4)?;
            Some(((packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes, and the size that they say.
    type Case<'a> = (&'a [u8], Option<(u32, u32)>);

    fn size(bytes: &[u8]) -> Option<(u32, u32)> {
        of(BlobFormat::of(bytes), bytes)
    }

    #[test]
    fn pictures_say_how_large_they_are() {
        let cases: [Case<'_>; 8] = [
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x27\x10\0\0\0\x01", Some((10_000, 1))),
            (b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08\x01\x02\x03\x04", Some((0x0304, 0x0102))),
            (b"GIF89a\x02\0\x03\0\0\0\0\x21\xf9\x01x\0\x2c\0\0\0\0\x02\0\x03\0", Some((2, 3))),
            (b"GIF89a\x02\0\x03\0\x80\0\0rgbrgb\x2c\0\0\0\0\xff\xff\xff\xff", Some((0xffff, 0xffff))),
            (b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x0f\x27\0\x0f\x27\0", Some((10_000, 10_000))),
            (b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x05\0\x06\0", Some((5, 6))),
            (b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x04\x40\x01\0", Some((5, 6))),
            (b"plain", None),
        ];
        for (bytes, expected) in cases {
            assert_eq!(size(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn what_is_cut_or_lies_about_its_lengths_says_nothing() {
        let whole: [&[u8]; 4] = [
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01",
            b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x01\0\x01",
            b"GIF89a\x02\0\x03\0\x80\0\0rgbrgb\x2c\0\0\0\0\x01\0\x01\0",
            b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        ];
        for bytes in whole {
            assert!(size(bytes).is_some());
            for end in 0..bytes.len() {
                assert_eq!(size(&bytes[..end]), None, "{end} of {}", String::from_utf8_lossy(bytes));
            }
        }
        let no_length = [&b"\xff\xd8"[..], &b"\xff\xfe\0\0".repeat(10_000)].concat();
        assert_eq!(size(&no_length), None, "it ends although no segment gets anywhere");
    }
}
