//! Tests of the real binary: arguments and environment in; output, exit code and HTTP responses out.
#![cfg(test)]

mod article;
mod browser;
mod command_line;
mod databases;
mod feed;
mod fetching;
mod flood;
mod healthcheck;
mod jobs;
mod logs;
mod opml;
mod outages;
mod postgres_proxy;
mod process;
mod refresh;
mod serving;
mod settings;
mod signing_in;
mod site;
mod stopping;
mod subscribing;
mod user;
mod watch;
mod watch_blogs;
