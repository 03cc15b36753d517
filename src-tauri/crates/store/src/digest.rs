//! SHA-256, in hexadecimal on every boundary.

use std::{
    fmt,
    io::{self, Read},
    str::FromStr,
};

use serde_with::{DeserializeFromStr, SerializeDisplay};
use sha2::Digest as _;

/// A SHA-256 digest. Printed, parsed and serialised as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct Digest([u8; 32]);

/// The text is not 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a SHA-256 in lower-case hexadecimal")]
pub struct BadDigest;

impl Digest {
    /// 64 zeros: what the first entry of a chain follows.
    pub const ZERO: Self = Self([0; 32]);

    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The digest of all that can be read there, of which only a little is in the memory at once.
    pub(crate) fn of_all(mut from: impl Read) -> io::Result<Self> {
        let (mut hash, mut portion) = (sha2::Sha256::new(), vec![0; 64 << 10]);
        loop {
            match from.read(&mut portion) {
                Ok(0) => return Ok(Self(hash.finalize().into())),
                Ok(bytes) => hash.update(&portion[..bytes]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = BadDigest;

    fn from_str(text: &str) -> Result<Self, BadDigest> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(BadDigest),
        };
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let mut bytes = [0; 32];
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return Err(BadDigest);
        }
        for (byte, &[high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = digit(high)? << 4 | digit(low)?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_sha_256_in_hexadecimal() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of("abc").to_string(), abc, "the example of FIPS 180-2");
        assert_eq!(abc.parse(), Ok(Digest::of("abc")));
        for text in ["", "ba", &abc.to_uppercase(), &format!("{abc}00"), &abc.replace('b', "é")] {
            assert_eq!(text.parse::<Digest>(), Err(BadDigest), "{text:?}");
        }
    }
}
