//! Who is let in, and how often.

use std::{net::SocketAddr, num::NonZeroU32};

use crate::caller::{Peer, local_person};

use super::*;

const PATH: &str = "/api/admin/jobs";

fn from_address(peer: &str, headers: &[(&str, &str)]) -> Request {
    let mut request = request("GET", PATH, headers, Body::empty());
    request.extensions_mut().insert(Peer(peer.parse::<SocketAddr>().unwrap()));
    request
}

on_both_databases! {
    async fn without_accounts_only_the_person_at_this_machine_is_let_in(db: TestDb) {
        let clock = Clock::system();
        let user = local_person(&db.db(), clock.now()).await.unwrap();
        assert_eq!(local_person(&db.db(), clock.now()).await.unwrap(), user, "made once");
        let router = main_router(App { local_person: Some(user), ..app(&db) });
        let here = [("host", "localhost:8080")];
        type Headers<'a> = &'a [(&'a str, &'a str)];
        let cases: [(&str, Headers<'_>, u16); 6] = [
            ("127.0.0.1:999", &here, 200),
            ("[::1]:999", &here, 200),
            ("[::ffff:127.0.0.1]:999", &here, 200),
            ("192.0.2.1:999", &here, 401),
            ("127.0.0.1:999", &[("host", "evil.example")], 401),
            ("127.0.0.1:999", &[("host", "localhost"), ("x-forwarded-for", "192.0.2.1")], 401),
        ];
        for (peer, headers, status) in cases {
            let answer = ask(&router, from_address(peer, headers)).await;
            assert_eq!(answer.status.as_u16(), status, "{peer} {headers:?}");
        }
        let stranger = ask(&router, from_address("192.0.2.1:999", &here)).await.json();
        assert_eq!((&stranger["code"], &stranger["category"]), (&"sign_in_required".into(), &"auth".into()));
        assert_eq!(get_with(&router, PATH, &[]).await.status.as_u16(), 401, "nobody knows where it came from");
    }
}

#[tokio::test]
async fn a_page_of_another_site_is_refused_what_changes_something() {
    let db = TestDb::sqlite().await;
    let (router, owner) = (main_router(app(&db)), owner(&db).await);
    let path = format!("{PATH}/{}/retry", store::JobId::new());
    let send = |site: &'static str| ask_as(&router, owner, request("POST", &path, &[("sec-fetch-site", site)], ""));
    let refused = send("cross-site").await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (403, Some("cross_site")));
    assert_eq!(send("same-origin").await.status.as_u16(), 404);
}

#[tokio::test]
async fn whoever_asks_too_often_is_told_when_to_come_back() {
    let db = TestDb::sqlite().await;
    let clock = Clock::manual(chrono::DateTime::UNIX_EPOCH);
    let limits = Limits { requests: NonZeroU32::new(2), registrations: None };
    let router = main_router(App { limiter: Limiter::new(limits), ..app_at(&db, clock.clone()) });
    let (one, other) = (owner(&db).await, Caller { is_owner: true, ..person(&db, "other@example.com").await });
    for _ in 0..2 {
        assert_eq!(get_as(&router, one, PATH).await.status.as_u16(), 200);
    }
    let refused = get_as(&router, one, PATH).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (429, Some("too_many_requests")));
    let seconds: u64 = refused.header("retry-after").parse().unwrap();
    assert!((30..=31).contains(&seconds), "{seconds}");
    assert!(refused.text().contains(&seconds.to_string()), "the words say how long: {}", refused.text());
    assert_eq!(get_as(&router, other, PATH).await.status.as_u16(), 200, "others are not held up");
    clock.advance(Duration::from_secs(seconds));
    assert_eq!(get_as(&router, one, PATH).await.status.as_u16(), 200);
}

#[tokio::test]
async fn answers_to_one_person_are_kept_out_of_caches() {
    let db = TestDb::sqlite().await;
    let answer = get_as(&main_router(app(&db)), owner(&db).await, PATH).await;
    assert_eq!(answer.header("cache-control"), "no-store");
}
