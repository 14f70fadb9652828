//! Building a client.

use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;

use super::dial::{DialLayer, OnDial};
use super::{Client, Inner, TrustLevel};
use crate::error::Error;
use crate::guard::Guard;
use crate::pace::Pace;
use crate::resolve::{ConnectorResolver, GuardedResolver, Resolver, SystemResolver};
use crate::settings::ClientSettings;
use crate::{decode, tls};

/// Builds a [`Client`].
pub struct ClientBuilder {
    settings: ClientSettings,
    resolver: Arc<dyn Resolver>,
    extra_roots: Vec<CertificateDer<'static>>,
    on_dial: Option<OnDial>,
}

impl ClientBuilder {
    pub(super) fn new(settings: ClientSettings) -> Self {
        Self { settings, resolver: Arc::new(SystemResolver), extra_roots: Vec::new(), on_dial: None }
    }

    /// Replaces the system's resolver.
    pub fn resolver(mut self, resolver: impl Resolver) -> Self {
        self.resolver = Arc::new(resolver);
        self
    }

    /// Trusts an additional root certificate (DER), for tests.
    #[doc(hidden)]
    pub fn extra_root(mut self, der: Vec<u8>) -> Self {
        self.extra_roots.push(der.into());
        self
    }

    /// Called before each connection; false forbids it. For tests.
    #[doc(hidden)]
    pub fn on_dial(mut self, on_dial: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.on_dial = Some(Arc::new(on_dial));
        self
    }

    /// Fails if the settings are invalid.
    pub fn build(self) -> Result<Client, Error> {
        let guard = Guard::new(self.settings.allow_nets.clone());
        let tls = tls::config(self.extra_roots.clone()).map_err(|error| Error::Setup { source: error.into() })?;
        let inner = Inner {
            timeout: self.settings.timeout,
            max_body_bytes: self.settings.max_body_bytes,
            pace: Pace::new(self.settings.host_concurrency, self.settings.host_gap),
            public: self.trust_level(Some(guard.clone()), tls.clone())?,
            operator: self.trust_level(None, tls)?,
            guard,
        };
        Ok(Client { inner: Arc::new(inner) })
    }

    pub(super) fn trust_level(&self, guard: Option<Guard>, tls: ClientConfig) -> Result<TrustLevel, Error> {
        let resolver = Arc::new(GuardedResolver::new(Arc::clone(&self.resolver), guard));
        let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(decode::ACCEPT_ENCODING))]);
        let builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(ConnectorResolver(Arc::clone(&resolver)))
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .user_agent(&self.settings.user_agent)
            .default_headers(headers)
            // Divided among the addresses of a host, so that a dead one does not use up the deadline.
            .connect_timeout(self.settings.timeout.max(Duration::from_secs(1)))
            .pool_max_idle_per_host(self.settings.host_concurrency.clamp(1, 8))
            .pool_idle_timeout(self.settings.idle_timeout)
            // Limits on the memory that a server can use: the library's defaults made explicit, and smaller windows.
            .http1_max_headers(100)
            .http2_max_header_list_size(64 * 1024)
            .http2_initial_stream_window_size(1024 * 1024)
            .http2_initial_connection_window_size(2 * 1024 * 1024)
            // `decode` handles encodings.
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate();
        let builder = match &self.on_dial {
            Some(on_dial) => builder.connector_layer(DialLayer(Arc::clone(on_dial))),
            None => builder,
        };
        let http = builder.build().map_err(|error| Error::Setup { source: error.into() })?;
        Ok(TrustLevel { http, resolver })
    }
}
