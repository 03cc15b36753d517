//! What is wrong with a server's TLS, where a person can do something about it.

use rustls::{CertificateError, Error};
use signalbox_model::CertificateFlaw;

/// What a person can mend; none for what speaks for itself.
pub(super) fn flaw(error: &Error) -> Option<CertificateFlaw> {
    use CertificateError as Bad;
    Some(match error {
        // The signature of another authority of the same name, as after it was made anew.
        Error::InvalidCertificate(Bad::UnknownIssuer | Bad::BadSignature) => CertificateFlaw::NoAuthority,
        Error::InvalidCertificate(Bad::Expired | Bad::ExpiredContext { .. }) => CertificateFlaw::Expired,
        Error::InvalidCertificate(Bad::NotValidYet | Bad::NotValidYetContext { .. }) => {
            CertificateFlaw::NotYetValid
        }
        Error::InvalidCertificate(Bad::NotValidForName | Bad::NotValidForNameContext { .. }) => {
            CertificateFlaw::OtherName
        }
        Error::InvalidMessage(_) => CertificateFlaw::NoTls,
        _ => return None,
    })
}
