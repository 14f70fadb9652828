//! The codes that clients may rely on, in `error_codes.txt`: code, status, category, and the field of an invalid request.

use std::{collections::BTreeSet, sync::Arc};

use ::accounts::openid::{Forgery, OpenIdError, ProviderId};
use read::{AddressError, ImportError, Problem, QueryError, Refusal, SearchError, SubscribeError};

use super::*;
use crate::{
    Candidate, Denied,
    error::{of_importing, of_new_password, of_openid, of_subscribing},
    items, page, states,
};

#[tokio::test]
async fn the_codes_of_all_errors_stay() {
    let mut lines = BTreeSet::new();
    for error in own().into_iter().chain(of_accounts()).chain(of_reading()).chain(of_fields()) {
        let routes = Router::new().route("/", get(move || async move { Err::<(), _>(error) }));
        let router = with_layers(routes, Duration::from_secs(10), SecurityHeaders::new(false, false), None);
        let answer = get_with(&router, "/", &[]).await;
        let (body, status) = (answer.json(), answer.status.as_u16());
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let fields = body["fields"].as_array().map(Vec::as_slice).unwrap_or_default();
        let line = format!("{} {status} {}", text(&body["code"]), text(&body["category"]));
        match fields {
            [] => drop(lines.insert(line)),
            fields => lines.extend(fields.iter().map(|field| format!("{line} {}", text(&field["field"])))),
        }
    }
    let lines: Vec<String> = lines.into_iter().collect();
    assert_eq!(lines.join("\n") + "\n", include_str!("error_codes.txt"));
}

fn cause() -> Arc<std::io::Error> {
    Arc::new(std::io::Error::other("why"))
}

fn own() -> Vec<ApiError> {
    let mut errors = vec![
        ApiError::Invalid(Vec::new()),
        ApiError::TokenRequired,
        ApiError::SignInRequired,
        ApiError::OwnerOnly,
        ApiError::CrossSite,
        ApiError::TooManyRequests { retry_after_seconds: 7 },
        ApiError::AlreadySubscribed(store::SubscriptionId::new()),
        ApiError::SubscriptionLimit(7),
        ApiError::FolderLimit(7),
        ApiError::TokenLimit(7),
        ApiError::NameTaken,
        ApiError::NotStopped,
        ApiError::FeedStopped,
        ApiError::UndoExpired,
        ApiError::FeedNotFound(Vec::new()),
        ApiError::FeedNotFound(vec![Candidate { url: "https://example.com/feed".to_owned(), title: None }]),
        ApiError::JobNotFailed,
        ApiError::JobKeyTaken,
        ApiError::JobNotQueued,
        ApiError::NotFound,
        ApiError::MethodNotAllowed,
        ApiError::BodyTooLarge,
        ApiError::UnsupportedMediaType,
        ApiError::OpmlExpected,
        ApiError::TimedOut,
        ApiError::DatabaseUnavailable(cause()),
        ApiError::DiskFull(cause()),
        ApiError::DatabaseVersion(cause()),
        ApiError::OutOfResources(cause()),
        ApiError::Stopping,
        ApiError::Internal(cause()),
    ];
    errors.extend(Denied::ALL.map(ApiError::Denied));
    errors.extend(Problem::ALL.map(ApiError::Feed));
    errors
}

fn of_accounts() -> Vec<ApiError> {
    use ::accounts::Error;
    let errors = [
        Error::WrongPassword,
        Error::TooManyAttempts { retry_after_seconds: 7 },
        Error::NotAllowed,
        Error::RegistrationClosed,
        Error::LocalAccountsOff,
        Error::EmailTaken,
        Error::EmailNotVerified,
        Error::InvalidEmail,
        Error::PasswordTooShort { least: 7 },
        Error::PasswordTooLong { most: 7 },
        Error::PasswordTooCommon,
        Error::NameMissing,
        Error::NameTooLong { most: 7 },
        Error::SetupLinkInvalid,
        Error::IdentityTaken,
        Error::LastWayIn,
        Error::TooManyTokens { most: 7 },
        Error::PreferencesTooLarge { most: 7 },
        Error::NotFound,
        Error::Hashing,
        Error::Store(store::Error::Newer { found: 2, known: 1 }),
    ];
    let net = net::Error::Timeout { after: Duration::from_secs(1) };
    let openid = [
        OpenIdError::Unreachable { source: Arc::new(net) },
        OpenIdError::Misconfigured { reason: "a test".to_owned() },
        OpenIdError::Refused,
        OpenIdError::Expired,
        OpenIdError::StateMismatch,
        OpenIdError::Forged(Forgery::Nonce),
        OpenIdError::ProviderFailed("a test".to_owned()),
    ];
    let new_password = [Error::WrongPassword, Error::PasswordTooCommon].map(of_new_password);
    let openid = openid.map(|error| of_openid(&error, ProviderId::Google));
    errors.into_iter().map(ApiError::from).chain(new_password).chain(openid).collect()
}

fn of_reading() -> Vec<ApiError> {
    let refusals = [
        Refusal::NotFound,
        Refusal::NoSuchFolder,
        Refusal::BadName,
        Refusal::NameTaken,
        Refusal::TooManyFolders(7),
        Refusal::BadInterval,
        Refusal::BadTitle,
        Refusal::NotStopped,
        Refusal::NothingToUndo,
    ];
    let net = || net::Error::OutOfResources { source: std::io::Error::other("why") };
    let subscribing = [
        SubscribeError::Address(AddressError::Empty),
        SubscribeError::Address(AddressError::TooLong),
        SubscribeError::Address(AddressError::NoAddress),
        SubscribeError::Address(AddressError::Scheme("file".to_owned())),
        SubscribeError::Refused(net()),
        SubscribeError::AlreadySubscribed { subscription: store::SubscriptionId::new(), feed: store::FeedId::new() },
        SubscribeError::Full { limit: 7 },
        SubscribeError::NoFeed { candidates: Vec::new() },
        SubscribeError::OutOfResources(net()),
        SubscribeError::UnknownFolder,
        SubscribeError::NotSubscribed,
    ];
    let moving = of_subscribing(SubscribeError::Address(AddressError::NoAddress), "feed_url");
    let importing = [ImportError::Empty, ImportError::TooMany { found: 7 }];
    let queries = [QueryError::Empty, QueryError::OnlyExclusions, QueryError::TooLong, QueryError::TooManyTerms];
    let refusals = refusals.into_iter().map(ApiError::from);
    let subscribing = subscribing.into_iter().map(|error| of_subscribing(error, "url"));
    let importing = importing.into_iter().map(of_importing);
    let searching = queries.into_iter().map(|error| crate::search::of_search(SearchError::Query(error)));
    refusals.chain(subscribing).chain([moving]).chain(importing).chain(searching).collect()
}

/// What is wrong with a field before any other crate sees it.
fn of_fields() -> Vec<ApiError> {
    use crate::extract::{MISSING, NUL, TWICE, UNUSABLE};
    vec![
        ApiError::invalid("a_field", MISSING),
        ApiError::invalid("id", UNUSABLE),
        ApiError::invalid("a_field", TWICE),
        ApiError::invalid("a_field", NUL),
        ApiError::invalid("ids", states::NOT_THAT_MANY),
        ApiError::invalid("up_to", states::NOT_AN_ITEM),
        ApiError::invalid("cursor", items::UNKNOWN_CURSOR),
        ApiError::invalid("cursor", page::UNKNOWN_CURSOR),
    ]
}
