//! `error_codes.txt` lists the errors that clients rely on: code, status, category, and the field of an invalid request.
//! A listed error must not change. New errors need not be listed.

use std::collections::BTreeSet;

use ::accounts::openid::OpenIdError;
use strum::VariantNames;

use super::*;

#[tokio::test]
async fn listed_error_codes_do_not_change() {
    let codes = [store::Error::VARIANTS, ::accounts::Error::VARIANTS, OpenIdError::VARIANTS, read::Error::VARIANTS];
    let errors = codes.concat().into_iter().chain(Error::VARIANTS.iter().copied()).map(ApiError::of_code);
    let problems = read::Problem::VARIANTS.iter().map(|code| ApiError::of_problem(code));
    // The same errors in other fields.
    let fields = [
        ApiError::in_field("a_field", Error::FieldMissing),
        ApiError::in_field("id", Error::FieldUnusable),
        ApiError::in_field("up_to", Error::InvalidItemId),
        ApiError::from(read::Error::AddressInvalid).with_field("feed_url"),
        ApiError::from(::accounts::Error::PasswordTooCommon).with_field("new_password"),
    ];
    let mut lines = BTreeSet::new();
    for error in errors.chain(problems).chain(fields) {
        lines.extend(lines_of(error).await);
    }
    let changed: Vec<&str> = include_str!("error_codes.txt").lines().filter(|line| !lines.contains(*line)).collect();
    assert!(changed.is_empty(), "{changed:#?}");
}

/// The lines of an error, from the response of the router.
async fn lines_of(error: ApiError) -> Vec<String> {
    let routes = Router::new().route("/", get(move || async move { Err::<(), _>(error) }));
    let router = with_layers(routes, Duration::from_secs(10), None);
    let answer = get_with(&router, "/", &[]).await;
    let (body, status) = (answer.json(), answer.status.as_u16());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let line = format!("{} {status} {}", text(&body["code"]), text(&body["category"]));
    match body["fields"].as_array().map(Vec::as_slice).unwrap_or_default() {
        [] => vec![line],
        fields => fields.iter().map(|field| format!("{line} {}", text(&field["field"]))).collect(),
    }
}
