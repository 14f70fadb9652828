//! The licence of Kawaraban, and those of the packages in the program and its pages.

use std::io::{self, Read};

use axum::{Json, extract::State};
use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ApiError, ApiState, static_files};

/// The licences of all packages, compressed until a request needs them.
#[derive(Debug, Clone, Copy)]
pub struct Licenses {
    /// Gzipped JSON of [`NoticesView`].
    rust: &'static [u8],
    /// The same for the pages, if they are built in.
    javascript: Option<&'static [u8]>,
}

/// The licences of Kawaraban and all its packages.
#[derive(Debug, Serialize, ToSchema)]
pub struct LicensesView {
    /// The licence of Kawaraban, as an SPDX expression.
    pub license: String,
    /// The Rust packages in the program.
    pub rust: NoticesView,
    /// The JavaScript packages in the pages; null if the program was built without pages.
    pub javascript: Option<NoticesView>,
}

/// Third-party packages and their licence texts.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NoticesView {
    /// The packages, sorted by name.
    pub packages: Vec<PackageView>,
    /// The distinct licence texts.
    pub texts: Vec<String>,
}

/// A third-party package.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PackageView {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
    /// The licence, as an SPDX expression.
    pub license: String,
    /// The address of the source.
    pub repository: Option<String>,
    /// The indexes of its licence texts in `texts`.
    pub texts: Vec<u32>,
}

impl Licenses {
    /// The Rust packages, as gzipped JSON of [`NoticesView`], and the packages of the built-in pages.
    pub fn new(rust: &'static [u8]) -> Licenses {
        Licenses { rust, javascript: static_files::notices() }
    }

    #[cfg(test)]
    pub(crate) fn without_pages(self) -> Licenses {
        Licenses { javascript: None, ..self }
    }

    /// Decompresses all licences.
    pub fn unpack(self) -> io::Result<LicensesView> {
        Ok(LicensesView {
            license: env!("CARGO_PKG_LICENSE").to_owned(),
            rust: unpack(self.rust)?,
            javascript: self.javascript.map(unpack).transpose()?,
        })
    }
}

fn unpack(packed: &[u8]) -> io::Result<NoticesView> {
    let mut json = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut json)?;
    Ok(serde_json::from_slice(&json)?)
}

/// Get the licences
///
/// The licences of Kawaraban and of the packages in it, with their texts.
#[utoipa::path(get, path = "/api/licenses", tag = "about", responses(
    (status = 200, description = "The licences", body = LicensesView),
))]
pub(crate) async fn get_licenses(State(app): State<ApiState>) -> Result<Json<LicensesView>, ApiError> {
    app.licenses.unpack().map(Json).map_err(ApiError::internal)
}
