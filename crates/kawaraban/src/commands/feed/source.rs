//! Reads files, the standard input and web addresses.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use tokio::runtime::Runtime;
use url::Url;

use crate::{
    app::net_client,
    commands::{prepare, small_runtime},
    config::Environment,
    failure::{Failure, chain},
    logging::LogGuard,
};

/// Far larger than any feed; a limit for endless files.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// Hints from the command line, which override the server's.
#[derive(Debug, Clone, Default)]
pub struct DocumentHints {
    pub url: Option<Url>,
    pub content_type: Option<String>,
}

/// A document with its hints.
pub struct SourceDocument {
    pub bytes: Vec<u8>,
    pub hints: DocumentHints,
}

/// Opens the sources on the command line. The network client is created when it is first needed.
pub struct Opener<'a> {
    environment: &'a Environment,
    web: Option<Web>,
}

struct Web {
    runtime: Runtime,
    client: net::Client,
    _log: LogGuard,
}

impl<'a> Opener<'a> {
    pub fn new(environment: &'a Environment) -> Opener<'a> {
        Opener { environment, web: None }
    }

    /// Reads a file, the standard input or an address.
    pub fn open(&mut self, file: &Path, hints: &DocumentHints) -> Result<SourceDocument, Failure> {
        if let Some(address) = address(file) {
            return self.fetch(address, hints);
        }
        let read = if file == Path::new("-") { read(io::stdin().lock()) } else { read_file(file) };
        let bytes = read.map_err(|error| Failure::because("cannot be opened", &error))?;
        Ok(SourceDocument { bytes, hints: hints.clone() })
    }

    fn fetch(&mut self, address: &str, hints: &DocumentHints) -> Result<SourceDocument, Failure> {
        let web = match &mut self.web {
            Some(web) => web,
            none => none.insert(Web::start(self.environment)?),
        };
        let answer = web.runtime.block_on(async {
            let request = net::Request::get(net::parse_url(address)?).urgency(net::Urgency::Interactive);
            web.client.send(request).await?.error_for_status()
        });
        let answer = answer.map_err(|error| Failure::new(format!("cannot be fetched: {}", chain(&error))))?;
        let hints = DocumentHints {
            url: hints.url.clone().or(Some(answer.url)),
            content_type: hints.content_type.clone().or(answer.content_type),
        };
        Ok(SourceDocument { bytes: answer.body.to_vec(), hints })
    }
}

impl Web {
    fn start(environment: &Environment) -> Result<Web, Failure> {
        let (config, log) = prepare(environment)?;
        Ok(Web { runtime: small_runtime()?, client: net_client(&config)?, _log: log })
    }
}

/// The web address. None for a file.
pub fn address(file: &Path) -> Option<&str> {
    let text = file.to_str()?;
    let scheme = text.split_once("://")?.0;
    (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")).then_some(text)
}

fn read_file(file: &Path) -> io::Result<Vec<u8>> {
    read(File::open(file)?)
}

fn read(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the file is larger than 1 GiB"));
    }
    Ok(bytes)
}
