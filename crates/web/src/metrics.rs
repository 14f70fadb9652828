//! The Prometheus recorder: names, descriptions and buckets of the metrics.
//!
//! All crates measure with the macros of the crate `metrics`; this is the recorder behind them. The names that the
//! documentation lists are registered at the start, so that dashboards and alerts can use them before the first fetch.

use std::time::Duration;

use ::metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use tokio_util::sync::CancellationToken;

/// Answered requests, by method, route and status.
pub(crate) const HTTP_REQUESTS: &str = "http_requests_total";
/// Duration of requests, by method and route.
pub(crate) const HTTP_REQUEST_DURATION: &str = "http_request_duration_seconds";

/// Connections that were closed to make room for new ones.
pub(crate) const HTTP_CONNECTIONS_EVICTED: &str = "http_connections_evicted_total";
/// New connections that were closed because the limit was reached and no other could be closed.
pub(crate) const HTTP_CONNECTIONS_REFUSED: &str = "http_connections_refused_total";

/// Buckets in seconds. They are fixed, so that the histograms of several processes can be added.
const BUCKETS: &[f64] =
    &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0];

/// How often samples in memory are moved into buckets, also if no client reads the metrics.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// The running program.
#[derive(Debug, Clone, Copy)]
pub struct BuildInfo {
    pub version: &'static str,
    pub commit: &'static str,
    /// Seconds since 1970.
    pub started_at_seconds: i64,
}

/// The metrics of this process. Cheap to clone.
#[derive(Clone)]
pub struct Measurements(PrometheusHandle);

/// The process already has another recorder.
#[derive(Debug, thiserror::Error)]
#[error("cannot collect metrics")]
pub struct MetricsNotInstalled(#[source] Box<dyn std::error::Error + Send + Sync>);

impl Measurements {
    /// Installs the recorder of the process. Can be called once.
    pub fn install(build: BuildInfo) -> Result<Measurements, MetricsNotInstalled> {
        let recorder = recorder().map_err(|error| MetricsNotInstalled(error.into()))?;
        let measurements = Measurements(recorder.handle());
        ::metrics::set_global_recorder(recorder).map_err(|error| MetricsNotInstalled(error.to_string().into()))?;
        register(build);
        Ok(measurements)
    }

    /// The metrics in the text format of Prometheus.
    pub(crate) fn render(&self) -> String {
        self.0.render()
    }

    /// Moves samples into their buckets until `stop`.
    pub async fn keep_up(self, stop: CancellationToken) {
        while stop.run_until_cancelled(tokio::time::sleep(UPKEEP_INTERVAL)).await.is_some() {
            self.0.run_upkeep();
        }
    }

    /// Metrics with a recorder of their own.
    #[cfg(test)]
    pub(crate) fn detached(build: BuildInfo) -> Measurements {
        let recorder = recorder().expect("buckets that are good");
        ::metrics::with_local_recorder(&recorder, || register(build));
        Measurements(recorder.handle())
    }
}

fn recorder() -> Result<PrometheusRecorder, metrics_exporter_prometheus::BuildError> {
    Ok(PrometheusBuilder::new().set_buckets(BUCKETS)?.build_recorder())
}

/// Describes the metrics and sets counters to zero.
fn register(build: BuildInfo) {
    describe_counter!("fetch_success_count", "Feeds fetched, those that had not changed included.");
    describe_counter!("fetch_fail_count", "Fetches of feeds that failed.");
    describe_counter!("parse_fail_count", "Fetched documents that could not be read as a feed.");
    describe_counter!("http_status_count", "Answers to fetches, by their HTTP status.");
    describe_counter!("items_upserted_count", "Items added or changed by fetches.");
    describe_histogram!("fetch_latency", Unit::Seconds, "How long fetches took, in seconds.");
    for name in ["fetch_success_count", "fetch_fail_count", "parse_fail_count", "items_upserted_count"] {
        counter!(name).absolute(0);
    }
    for status in ["200", "304"] {
        counter!("http_status_count", "status_code" => status).absolute(0);
    }
    let _registered = histogram!("fetch_latency");

    describe_counter!(HTTP_REQUESTS, "Requests that were answered, by method, route and status.");
    describe_histogram!(HTTP_REQUEST_DURATION, Unit::Seconds, "How long answering requests took, in seconds.");
    describe_counter!(
        HTTP_CONNECTIONS_EVICTED,
        "Connections without a request that were closed to make room for new ones."
    );
    describe_counter!(HTTP_CONNECTIONS_REFUSED, "New connections that were closed because the limit was reached.");
    for name in [HTTP_CONNECTIONS_EVICTED, HTTP_CONNECTIONS_REFUSED] {
        counter!(name).absolute(0);
    }
    describe_gauge!("kawaraban_build_info", "Always 1; the labels tell which program is running.");
    gauge!("kawaraban_build_info", "version" => build.version, "commit" => build.commit).set(1.0);
    describe_gauge!("process_start_time_seconds", Unit::Seconds, "When the process started, in seconds since 1970.");
    gauge!("process_start_time_seconds").set(build.started_at_seconds as f64);
}
