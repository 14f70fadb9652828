//! Where bytes come from: files, standard input and the web.

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
    logging::Log,
};

/// The largest file that is read. Far more than any feed; an endless one has to end somewhere.
const LARGEST: u64 = 1 << 30;

/// What is said about the bytes on the command line; it wins over what a server says.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    pub url: Option<Url>,
    pub content_type: Option<String>,
}

/// Bytes with what is known about them.
pub struct Document {
    pub bytes: Vec<u8>,
    pub hints: Hints,
}

/// Opens whatever is named on the command line. The network is set up when it is first needed.
pub struct Opener<'a> {
    environment: &'a Environment,
    web: Option<Web>,
}

struct Web {
    runtime: Runtime,
    client: net::Client,
    _log: Log,
}

impl<'a> Opener<'a> {
    pub fn new(environment: &'a Environment) -> Opener<'a> {
        Opener { environment, web: None }
    }

    /// Reads a file, standard input or an address, or says in words why not.
    pub fn open(&mut self, file: &Path, hints: &Hints) -> Result<Document, Failure> {
        if let Some(address) = address(file) {
            return self.fetch(address, hints);
        }
        let read = if file == Path::new("-") { read(io::stdin().lock()) } else { read_file(file) };
        let bytes = read.map_err(|error| Failure::because("cannot be opened", &error))?;
        Ok(Document { bytes, hints: hints.clone() })
    }

    fn fetch(&mut self, address: &str, hints: &Hints) -> Result<Document, Failure> {
        let web = match &mut self.web {
            Some(web) => web,
            none => none.insert(Web::start(self.environment)?),
        };
        let answer = web.runtime.block_on(async {
            let request = net::Request::get(net::parse_url(address)?).urgency(net::Urgency::Interactive);
            web.client.send(request).await?.error_for_status()
        });
        let answer = answer.map_err(|error| Failure::new(format!("cannot be fetched: {}", chain(&error))))?;
        let hints = Hints {
            url: hints.url.clone().or(Some(answer.url)),
            content_type: hints.content_type.clone().or(answer.content_type),
        };
        Ok(Document { bytes: answer.body.to_vec(), hints })
    }
}

impl Web {
    fn start(environment: &Environment) -> Result<Web, Failure> {
        let (config, log) = prepare(environment)?;
        Ok(Web { runtime: small_runtime()?, client: net_client(&config)?, _log: log })
    }
}

/// The text of an address of the web; none for a file.
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
    from.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 1 GiB"));
    }
    Ok(bytes)
}
