//! A log line as one flat JSON object with the fields of the event and its spans.
//!
//! The formatter of tracing-subscriber nests span fields, which complicates a search for `request_id`.

use std::{error::Error, fmt};

use serde_json::{Map, Value};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{
        FmtContext, FormatEvent, FormatFields, FormattedFields,
        format::{JsonFields, Writer},
        time::{FormatTime, SystemTime},
    },
    registry::LookupSpan,
};

use crate::failure;

/// Writes events as flat JSON objects. Fields of inner spans win over outer ones, the event's own over all.
pub struct FlatJson;

impl<S, N> FormatEvent<S, N> for FlatJson
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut fields = Map::new();
        for span in context.event_scope().into_iter().flat_map(|scope| scope.from_root()) {
            let extensions = span.extensions();
            let Some(written) = extensions.get::<FormattedFields<JsonFields>>() else { continue };
            fields.extend(serde_json::from_str::<Map<String, Value>>(written).unwrap_or_default());
        }
        event.record(&mut Fields(&mut fields));
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let message = fields.remove("message").unwrap_or_default();
        let [level, target] = [event.metadata().level().as_str(), event.metadata().target()].map(Value::from);
        write!(writer, r#"{{"timestamp":"{time}","level":{level},"target":{target},"message":{message}"#)?;
        for (name, value) in fields.iter().filter(|(name, _)| !FRONT.contains(&name.as_str())) {
            write!(writer, ",{}:{value}", Value::from(name.as_str()))?;
        }
        writeln!(writer, "}}")
    }
}

/// The first fields of every line. Event fields with these names are skipped.
const FRONT: [&str; 3] = ["timestamp", "level", "target"];

struct Fields<'a>(&'a mut Map<String, Value>);

impl Fields<'_> {
    fn insert(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.insert(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.insert(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.insert(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.insert(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.insert(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.insert(field, value);
    }

    /// With its causes, which `Display` leaves out.
    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.insert(field, failure::chain(value));
    }
}
