//! The licence of Kawaraban, and those of the packages in the program and its pages.

use std::io::{self, Read};

use axum::{Json, extract::State};
use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ApiError, ApiState, static_files};

/// The packages that this process was built from. Their texts stay packed until they are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Licenses {
    /// Gzipped JSON of [`NoticesView`].
    rust: &'static [u8],
    /// The same for the pages, if they were built.
    javascript: Option<&'static [u8]>,
}

/// Everything that a copy of Kawaraban has to name.
#[derive(Debug, Serialize, ToSchema)]
pub struct LicensesView {
    /// The licence of Kawaraban itself, an SPDX expression.
    pub license: String,
    /// The packages that are linked into the program.
    pub rust: NoticesView,
    /// The packages in the pages; null if the program was built without its pages.
    pub javascript: Option<NoticesView>,
}

/// Packages by others, and the texts of their licences.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NoticesView {
    /// The packages, sorted by name.
    pub packages: Vec<PackageView>,
    /// The texts of all licences, each once.
    pub texts: Vec<String>,
}

/// A package by others.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PackageView {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence, an SPDX expression.
    pub license: String,
    /// Where its source is.
    pub repository: Option<String>,
    /// The places of its texts in the list of texts.
    pub texts: Vec<u32>,
}

impl Licenses {
    /// These Rust packages, gzipped JSON of [`NoticesView`], and the pages that this program was built with.
    pub fn new(rust: &'static [u8]) -> Licenses {
        Licenses { rust, javascript: static_files::notices() }
    }

    #[cfg(test)]
    pub(crate) fn without_pages(self) -> Licenses {
        Licenses { javascript: None, ..self }
    }

    /// Unpacks everything.
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

/// Show the licences of this program
///
/// Its own, and those of the packages that it was built from, with their texts.
#[utoipa::path(get, path = "/api/licenses", tag = "about", responses(
    (status = 200, description = "All licences", body = LicensesView),
))]
pub(crate) async fn get_licenses(State(app): State<ApiState>) -> Result<Json<LicensesView>, ApiError> {
    app.licenses.unpack().map(Json).map_err(ApiError::internal)
}
