//! What is wrong with a server's TLS, and what a person can do about it.

use rustls::{CertificateError, Error};

/// A sentence for what people can mend; none for what speaks for itself.
pub(super) fn advice(error: &Error) -> Option<&'static str> {
    use CertificateError as Bad;
    Some(match error {
        // The signature of another authority of the same name, as after it was made anew.
        Error::InvalidCertificate(Bad::UnknownIssuer | Bad::BadSignature) => {
            "no authority that is trusted here vouches for its certificate: where it is to be trusted, name the file with \
             its authority's certificate (CA) for this server"
        }
        Error::InvalidCertificate(Bad::Expired | Bad::ExpiredContext { .. }) => {
            "its certificate has expired, and has to be renewed there, unless the clock of this machine is wrong"
        }
        Error::InvalidCertificate(Bad::NotValidYet | Bad::NotValidYetContext { .. }) => {
            "its certificate is not valid yet, unless the clock of this machine is wrong"
        }
        Error::InvalidCertificate(Bad::NotValidForName | Bad::NotValidForNameContext { .. }) => {
            "its certificate is for another name than the one in the URL: correct the URL, or have the certificate \
             corrected there"
        }
        Error::InvalidMessage(_) => "it does not speak TLS there: the URL may have to begin with http://",
        _ => return None,
    })
}
