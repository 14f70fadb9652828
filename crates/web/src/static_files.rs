//! The web client, served from memory. `build.rs` embeds the compressed files of `ui/dist`.
//!
//! It handles all requests that match no route. An existing file is sent. A page request of a browser gets the index page.
//! Everything else gets the 404 of the API.

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use crate::{ApiError, Error, request_log::RouteLabel};

/// The page for all addresses of the web client.
const INDEX: &str = "/index.html";
/// Files below it have a hash of their content in their name.
const HASHED: &str = "/assets/";
/// Paths that never get the index page.
const NOT_PAGES: &[&str] = &["/api", "/auth", "/assets", "/healthz", "/readyz", "/metrics"];
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Cached copies are revalidated, because an old page would load the files of an old version.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// A file of the web client.
#[derive(Debug)]
pub(crate) struct StaticFile {
    pub(crate) path: &'static str,
    pub(crate) content_type: &'static str,
    /// A hash of the content, for the ETag.
    pub(crate) hash: &'static str,
    pub(crate) plain: &'static [u8],
    /// `None` if it is not smaller.
    pub(crate) brotli: Option<&'static [u8]>,
    /// `None` if it is not smaller.
    pub(crate) gzip: Option<&'static [u8]>,
}

/// The page of a program that was built without the web client.
static PLACEHOLDER: &[StaticFile] = &[StaticFile {
    path: INDEX,
    content_type: "text/html; charset=utf-8",
    hash: "placeholder",
    plain: include_bytes!("pages/placeholder.html"),
    brotli: None,
    gzip: None,
}];

/// The files of the web client. Cheap to copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StaticFiles(&'static [StaticFile]);

impl StaticFiles {
    /// The embedded files.
    pub(crate) fn built_in() -> StaticFiles {
        StaticFiles::of(include!(concat!(env!("OUT_DIR"), "/pages.rs")))
    }

    /// These files, or the placeholder page if there are none.
    pub(crate) fn of(files: &'static [StaticFile]) -> StaticFiles {
        StaticFiles(if files.is_empty() { PLACEHOLDER } else { files })
    }

    fn find(self, path: &str) -> Option<&'static StaticFile> {
        self.0.iter().find(|file| file.path == path)
    }

    /// The file to send for a path. `wants_page` is true for page requests of browsers.
    fn resolve(self, path: &str, wants_page: bool) -> Option<&'static StaticFile> {
        let is_below =
            |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let may_be_page = !looks_like_file(path) && !NOT_PAGES.iter().any(|root| is_below(root));
        let is_page = path == "/" || (wants_page && may_be_page);
        if is_page { self.find(INDEX) } else { self.find(path) }
    }
}

/// The licences of the JavaScript packages as gzipped JSON; `None` without the web client.
pub(crate) fn notices() -> Option<&'static [u8]> {
    include!(concat!(env!("OUT_DIR"), "/notices.rs"))
}

/// Whether the last segment has an extension. A missing image is not a page.
fn looks_like_file(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// Handles requests that match no route.
pub(crate) async fn get_page(State(files): State<StaticFiles>, request: Request) -> Response {
    let headers = request.headers();
    let wants_page = mentions(headers, header::ACCEPT, "text/html");
    let Some(file) = files.resolve(request.uri().path(), wants_page) else {
        return ApiError::from(Error::NotFound).into_response();
    };
    let mut response = match *request.method() {
        Method::GET | Method::HEAD => send(file, headers, request.method() == Method::HEAD),
        _ => ([(header::ALLOW, "GET, HEAD")], ApiError::from(Error::MethodNotAllowed)).into_response(),
    };
    response.extensions_mut().insert(RouteLabel("pages"));
    response
}

/// Sends the smallest encoding that the client accepts, or 304 if the client has it.
fn send(file: &'static StaticFile, headers: &HeaderMap, is_head: bool) -> Response {
    let takes = |coding: &str| mentions(headers, header::ACCEPT_ENCODING, coding);
    let (coding, bytes) = match (file.brotli, file.gzip) {
        (Some(bytes), _) if takes("br") => (Some("br"), bytes),
        (_, Some(bytes)) if takes("gzip") => (Some("gzip"), bytes),
        _ => (None, file.plain),
    };
    let tag = format!("\"{}-{}\"", file.hash, coding.unwrap_or("plain"));
    let is_known = mentions(headers, header::IF_NONE_MATCH, &tag);
    let mut response = match (is_known, is_head) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, true) => Body::empty().into_response(),
        (false, false) => Body::from(bytes).into_response(),
    };
    let sent = response.headers_mut();
    sent.insert(header::CACHE_CONTROL, if file.path.starts_with(HASHED) { IMMUTABLE } else { REVALIDATE });
    if let Ok(tag) = HeaderValue::try_from(tag) {
        sent.insert(header::ETAG, tag);
    }
    if file.brotli.is_some() || file.gzip.is_some() {
        sent.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    if !is_known {
        sent.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type));
        sent.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        if let Some(coding) = coding {
            sent.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
    }
    response
}

/// Whether a header lists this value without `q=0`.
fn mentions(headers: &HeaderMap, name: http::HeaderName, wanted: &str) -> bool {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|list| list.split(',')).any(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let value = parts.next().unwrap_or_default();
        let quality = parts.find_map(|part| part.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        // Proxies that compress make tags weak.
        value.trim_start_matches("W/").eq_ignore_ascii_case(wanted) && quality.is_ok_and(|quality| quality > 0.0)
    })
}
