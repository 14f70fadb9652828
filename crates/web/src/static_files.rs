//! The user interface, served from memory: what `build.rs` found in `ui/dist`, already compressed.
//!
//! Whatever no route of the API takes comes here. A file that is there is sent; an address of the app, which a browser
//! wants as a page, gets the page; everything else is the API's 404.

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use crate::{ApiError, Error, request_log::RouteLabel};

/// The page that opens the app at any of its addresses.
const INDEX: &str = "/index.html";
/// Files below have a hash of their content in their names.
const HASHED: &str = "/assets/";
/// What programs ask for: never answered with a page.
const NOT_PAGES: &[&str] = &["/api", "/auth", "/assets", "/healthz", "/readyz", "/metrics"];
const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// May be kept, but is asked for each time: an old page would name files of an old version.
const ASK_FIRST: HeaderValue = HeaderValue::from_static("no-cache");

/// A file of the user interface.
#[derive(Debug)]
pub(crate) struct StaticFile {
    /// Its address, from the root on.
    pub(crate) path: &'static str,
    /// What it is.
    pub(crate) content_type: &'static str,
    /// Tells one content from another.
    pub(crate) mark: &'static str,
    /// As it is.
    pub(crate) plain: &'static [u8],
    /// In brotli, if that is smaller.
    pub(crate) brotli: Option<&'static [u8]>,
    /// In gzip, if that is smaller.
    pub(crate) gzip: Option<&'static [u8]>,
}

/// Credential where the user interface was not built.
static PLACEHOLDER: &[StaticFile] = &[StaticFile {
    path: INDEX,
    content_type: "text/html; charset=utf-8",
    mark: "placeholder",
    plain: include_bytes!("pages/placeholder.html"),
    brotli: None,
    gzip: None,
}];

/// The files of the user interface. Cheap to copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StaticFiles(&'static [StaticFile]);

impl StaticFiles {
    /// Those that this program was built with.
    pub(crate) fn built_in() -> StaticFiles {
        StaticFiles::of(include!(concat!(env!("OUT_DIR"), "/pages.rs")))
    }

    /// These, or the page that says how to build some.
    pub(crate) fn of(files: &'static [StaticFile]) -> StaticFiles {
        StaticFiles(if files.is_empty() { PLACEHOLDER } else { files })
    }

    fn find(self, path: &str) -> Option<&'static StaticFile> {
        self.0.iter().find(|file| file.path == path)
    }

    /// What is sent for this address; `wants_page` is for browsers that go there.
    fn answer_to(self, path: &str, wants_page: bool) -> Option<&'static StaticFile> {
        let is_below =
            |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let is_of_app = !looks_like_file(path) && !NOT_PAGES.iter().any(|root| is_below(root));
        let is_page = path == "/" || (wants_page && is_of_app);
        if is_page { self.find(INDEX) } else { self.find(path) }
    }
}

/// The licences of the packages in the pages, gzipped JSON; none without pages.
pub(crate) fn notices() -> Option<&'static [u8]> {
    include!(concat!(env!("OUT_DIR"), "/notices.rs"))
}

/// Whether the last part has an ending: a missing picture is not a page.
fn looks_like_file(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// Answers what no route of the API takes.
pub(crate) async fn get_page(State(pages): State<StaticFiles>, request: Request) -> Response {
    let headers = request.headers();
    let wants_page = mentions(headers, header::ACCEPT, "text/html");
    let Some(file) = pages.answer_to(request.uri().path(), wants_page) else {
        return ApiError::from(Error::NotFound).into_response();
    };
    let mut response = match *request.method() {
        Method::GET | Method::HEAD => send(file, headers, request.method() == Method::HEAD),
        _ => ([(header::ALLOW, "GET, HEAD")], ApiError::from(Error::MethodNotAllowed)).into_response(),
    };
    response.extensions_mut().insert(RouteLabel("pages"));
    response
}

/// The smallest form that the browser takes, or nothing when it has it already.
fn send(file: &'static StaticFile, headers: &HeaderMap, is_head: bool) -> Response {
    let takes = |coding: &str| mentions(headers, header::ACCEPT_ENCODING, coding);
    let (coding, bytes) = match (file.brotli, file.gzip) {
        (Some(bytes), _) if takes("br") => (Some("br"), bytes),
        (_, Some(bytes)) if takes("gzip") => (Some("gzip"), bytes),
        _ => (None, file.plain),
    };
    let tag = format!("\"{}-{}\"", file.mark, coding.unwrap_or("plain"));
    let is_known = mentions(headers, header::IF_NONE_MATCH, &tag);
    let mut response = match (is_known, is_head) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, true) => Body::empty().into_response(),
        (false, false) => Body::from(bytes).into_response(),
    };
    let sent = response.headers_mut();
    sent.insert(header::CACHE_CONTROL, if file.path.starts_with(HASHED) { FOR_GOOD } else { ASK_FIRST });
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

/// Whether a list in a header has this value and does not refuse it with `q=0`.
fn mentions(headers: &HeaderMap, name: http::HeaderName, wanted: &str) -> bool {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|list| list.split(',')).any(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let value = parts.next().unwrap_or_default();
        let quality = parts.find_map(|part| part.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        // A weak mark is as good: a proxy that compresses makes it so.
        value.trim_start_matches("W/").eq_ignore_ascii_case(wanted) && quality.is_ok_and(|quality| quality > 0.0)
    })
}
