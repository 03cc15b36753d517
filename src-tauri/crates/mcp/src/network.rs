//! The way to a server that a person configured: through which proxy, and whom to trust besides the system's authorities.

use std::{fmt, sync::Arc};

use reqwest::{Certificate, ClientBuilder, Proxy};
use url::Url;

/// The way to a server over HTTP: through which proxy, and whom to trust besides the system's authorities. By default as
/// the system says. Nothing on this machine is reached through a proxy. Cheap to clone.
#[derive(Clone, Default)]
pub struct Network(Option<Arc<Way>>);

struct Way {
    ca_certificates: Vec<Vec<u8>>,
    proxy: Option<Url>,
    parsed: (Vec<Certificate>, Option<Proxy>),
}

/// What cannot be a way to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Not one certificate in PEM.
    #[error("the CA certificates at place {index} are no PEM")]
    Certificates {
        /// Which of those given, counted from 0.
        index: usize,
    },
    /// Not the URL of a proxy that we can use: `http` or `https`, with a host.
    #[error("the proxy is no http or https URL")]
    Proxy,
}

impl Network {
    /// Takes CA certificates (each entry PEM, of one or more) and a proxy, whose URL may hold a name and a password.
    ///
    /// # Errors
    /// When one of them cannot be used.
    pub fn new(ca_certificates: Vec<Vec<u8>>, proxy: Option<Url>) -> Result<Self, NetworkError> {
        let mut certificates = Vec::new();
        for (index, pem) in ca_certificates.iter().enumerate() {
            let found = Certificate::from_pem_bundle(pem).ok().filter(|found| !found.is_empty());
            certificates.extend(found.ok_or(NetworkError::Certificates { index })?);
        }
        let through = match &proxy {
            Some(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
                Some(Proxy::all(url.clone()).map_err(|_| NetworkError::Proxy)?)
            }
            Some(_) => return Err(NetworkError::Proxy),
            None => None,
        };
        Ok(Self(Some(Arc::new(Way { ca_certificates, proxy, parsed: (certificates, through) }))))
    }

    /// A client that goes this way, to be made ready for its purpose.
    pub fn builder(&self) -> ClientBuilder {
        let mut builder = reqwest::Client::builder();
        if let Some(way) = &self.0 {
            let (certificates, proxy) = &way.parsed;
            if !certificates.is_empty() {
                builder = builder.tls_certs_merge(certificates.iter().cloned());
            }
            if let Some(proxy) = proxy {
                builder = builder.proxy(proxy.clone());
            }
        }
        builder
    }

    /// The proxy's host and port: what may be shown of it.
    pub(crate) fn proxy_place(&self) -> Option<String> {
        let proxy = self.given().1?;
        Some(format!("{}:{}", proxy.host_str()?, proxy.port_or_known_default()?))
    }

    fn given(&self) -> (&[Vec<u8>], Option<&Url>) {
        self.0.as_ref().map_or((&[], None), |way| (&way.ca_certificates, way.proxy.as_ref()))
    }
}

impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.given() == other.given()
    }
}

impl Eq for Network {}

/// A proxy's URL may hold a password.
impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (certificates, proxy) = self.given();
        f.debug_struct("Network")
            .field("ca_certificates", &certificates.len())
            .field("proxy", &proxy.and_then(Url::host_str))
            .finish()
    }
}
