//! What each obstacle says in English, as the end of a sentence.

use std::fmt::{self, Display, Formatter};

use super::{CertificateFlaw, Hindrance, Obstacle};

impl Display for Hindrance {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Obstacle(obstacle) => obstacle.fmt(f),
            Self::Words(words) => f.write_str(words),
        }
    }
}

impl Display for Obstacle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::StreamEnded => f.write_str("the event stream ended without the answer"),
            Self::NoStream => f.write_str("no event stream came"),
            Self::SessionEnded => f.write_str("the session ended before the answer"),
            Self::NoMoreInput => f.write_str("the program took no more input"),
            Self::NoRoom => {
                f.write_str("more arrived at the same time than Signalbox sets disk space aside for")
            }
            Self::NoDisk { said } => {
                write!(f, "it is too large for memory alone, and the disk does not take it: {said}")
            }
            Self::OnlyStatus { status } => write!(f, "HTTP {status} without an answer"),
            Self::Interrupted => f.write_str("it was interrupted"),
            Self::Late { seconds } => write!(f, "no answer within {seconds} s"),
            Self::SessionForgotten => f.write_str("the server does not know the session any more"),
            Self::NoSession => f.write_str("there is no session to go on with"),
            Self::StatementLost { said } => write!(f, "its answer was lost ({said})"),
            Self::StatementThrottled { status } => write!(f, "it asks to slow down (HTTP {status})"),
            Self::StatementRefused { error, said } => write!(f, "it answered with error {error}: {said}"),
            Self::StatementBreaks { breach } => write!(f, "its answer breaks the specification: {breach}"),
            Self::StatementStray { stray } => write!(f, "what came back is not the answer: {stray}"),
            Self::StatementTooLarge { limit } => {
                write!(f, "its answer is larger than {limit} bytes, the limit in the settings")
            }
            Self::StatementTooMuch { of, most, unit } => {
                write!(f, "{of} has more than {}", unit.counted(*most))
            }
            Self::OtherWire => f.write_str("it speaks another wire than when the task was started"),
            Self::NoUrl { address } => write!(f, "{address:?} is not a URL"),
            Self::NoHeaderName { name } => write!(f, "{name:?} is not a header name"),
            Self::NoHeaderValue { name } => write!(f, "the value of the header {name} cannot be sent"),
            Self::NoProxyUrl => f.write_str("the proxy's address cannot be used"),
            Self::NoSignIn => f.write_str("a program has no sign-in"),
            Self::NoClient => f.write_str("a machine's sign-in needs a client id and a client secret"),
            Self::NoMetadataUrl => f.write_str("the address of the client metadata is not a URL"),
            Self::ProxyFails { proxy, said } => {
                write!(f, "there is no way through the proxy {proxy}: {said}")
            }
            Self::ProxySignIn => f.write_str("the proxy wants a sign-in"),
            Self::BadCertificate { flaw, said } => write!(f, "{flaw} ({said})"),
            Self::CertificatesUnread { file, said } => {
                write!(f, "the certificates in {file} cannot be read: {said}")
            }
            Self::NoCertificates { file } => write!(f, "{file} holds no certificates in PEM"),
            Self::NoFolder { folder } => write!(f, "there is no directory {folder} to start it in"),
            Self::OthersUnread { said } => {
                write!(f, "which variables are meant for other servers could not be read: {said}")
            }
            Self::AuthorizationFails { host, said } => {
                let host = host.as_deref().unwrap_or("the authorization server");
                write!(f, "{host} cannot be reached for the sign-in: {said}")
            }
            Self::NoKeychain { said } => write!(f, "there is no keychain here ({said})"),
            Self::KeychainLocked { said } => write!(f, "the keychain does not open ({said})"),
            Self::KeychainFailed { said } => write!(f, "the keychain failed: {said}"),
            Self::FileLocked { file } => write!(f, "the encrypted file {file} is locked"),
            Self::WrongPassphrase { file } => write!(f, "the passphrase does not open {file}"),
            Self::FileDamaged { file } => write!(f, "the encrypted file {file} is damaged"),
            Self::FileFailed { file, said } => {
                write!(f, "the encrypted file {file} cannot be read or written: {said}")
            }
            Self::NotKept { entry } => write!(f, "nothing is kept any more as {entry}: give the value again"),
            Self::NotInThisRun { entry } => write!(
                f,
                "{entry} is not kept in this run: values are kept for one run only. Give it again, or choose another \
                 place for secrets"
            ),
            Self::SecretUnread { file, said } => write!(f, "cannot read the secret from {file}: {said}"),
            Self::NoSecret { place, limit } => {
                write!(f, "{place} holds no usable secret: it must be UTF-8 text of at most {limit} bytes")
            }
            Self::Unknown => f.write_str("a newer version of Signalbox wrote down why"),
        }
    }
}

impl Display for CertificateFlaw {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoAuthority => {
                "no authority that is trusted here vouches for its certificate. To trust it, name the file with its \
                 authority's certificate (CA) for this server"
            }
            Self::Expired => {
                "its certificate has expired and has to be renewed there, unless the clock of this machine is wrong"
            }
            Self::NotYetValid => {
                "its certificate is not valid yet, unless the clock of this machine is wrong"
            }
            Self::OtherName => {
                "its certificate is for another name than the one in the URL. Correct the URL, or have the certificate \
                 corrected there"
            }
            Self::NoTls => "it does not speak TLS there. The URL may have to begin with http://",
            Self::Unknown => "a newer version of Signalbox wrote down what is wrong with its certificate",
        })
    }
}
