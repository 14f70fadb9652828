//! What every rule works with.

use std::sync::Arc;

use store::{Clock, Db};

use crate::{
    Settings,
    fetch::{Arrivals, Figures},
};

/// The reader: the rules of Read with what they need. Cheap to clone. Its methods are in the files named for what they do.
#[derive(Clone)]
pub struct Reader {
    pub(crate) db: Db,
    pub(crate) net: net::Client,
    pub(crate) clock: Clock,
    pub(crate) settings: Arc<Settings>,
    pub(crate) arrivals: Arc<Arrivals>,
    pub(crate) figures: Arc<Figures>,
}

impl Reader {
    /// A reader on this database, with this door to the network.
    pub fn new(db: Db, net: net::Client, clock: Clock, settings: Settings) -> Reader {
        let arrivals = Arc::new(Arrivals::new(db.is_postgres()));
        Reader { db, net, clock, settings: Arc::new(settings), arrivals, figures: Arc::default() }
    }

    /// The database it works on.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The time as it sees it.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }
}
