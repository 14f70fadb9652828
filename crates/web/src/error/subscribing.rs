//! What went wrong with subscribing or importing, as an error of the API.

use std::sync::Arc;

use read::{AddressError, ImportError, Problem, SubscribeError};

use super::{ApiError, Candidate};
use crate::{Language, Words, error::attempt_problem_text, extract::MISSING};

const TOO_LONG: Words = Words {
    en: "That is too long for an address. Write one such as https://example.com.",
    ja: "アドレスが長すぎます。https://example.com のように入力してください。",
};
const NO_ADDRESS: Words = Words {
    en: "There is no address in that. Write one such as https://example.com.",
    ja: "アドレスが見つかりません。https://example.com のように入力してください。",
};
const SCHEME: Words = Words {
    en: "Write an address that begins with https:// or http://.",
    ja: "https:// または http:// で始まるアドレスを入力してください。",
};
const NO_FOLDER: Words = Words { en: "You have no such folder.", ja: "そのフォルダーはありません。" };
const NOT_OPML: Words = Words {
    en: "This is no OPML file. Export the subscriptions of your other reader as OPML and send that file.",
    ja: "OPML ファイルではありません。お使いのリーダーから OPML で書き出したファイルを送ってください。",
};
const NO_FEEDS: Words =
    Words { en: "There are no feeds in this file.", ja: "このファイルにはフィードがありません。" };
const TOO_MANY: Words = Words {
    en: "There are more than 5,000 feeds in this file. Split it.",
    ja: "フィードが 5,000 件を超えています。ファイルを分けてください。",
};

/// Why somebody cannot subscribe; `field` is where they wrote the address.
pub(crate) fn of_subscribing(error: SubscribeError, field: &'static str) -> ApiError {
    match error {
        SubscribeError::Address(error) => ApiError::invalid(field, of_address(&error)),
        SubscribeError::Refused(_) => ApiError::Feed(Problem::AddressRefused),
        SubscribeError::AlreadySubscribed { subscription, .. } => ApiError::AlreadySubscribed(subscription),
        SubscribeError::Full { limit } => ApiError::SubscriptionLimit(limit),
        SubscribeError::NoFeed { candidates } => {
            let candidates = candidates.into_iter().map(|offer| Candidate { url: offer.url, title: offer.title });
            ApiError::FeedNotFound(candidates.collect())
        }
        SubscribeError::Origin { problem, .. } => ApiError::Feed(problem),
        SubscribeError::OutOfResources(error) => ApiError::OutOfResources(Arc::new(error)),
        SubscribeError::UnknownFolder => ApiError::invalid("folder_id", NO_FOLDER),
        SubscribeError::NotSubscribed => ApiError::NotFound,
        SubscribeError::Store(error) => error.into(),
    }
}

/// Why a file cannot be taken in.
pub(crate) fn of_importing(error: ImportError) -> ApiError {
    match error {
        ImportError::NotOpml(_) => ApiError::invalid("body", NOT_OPML),
        ImportError::Empty => ApiError::invalid("body", NO_FEEDS),
        ImportError::TooMany { .. } => ApiError::invalid("body", TOO_MANY),
        ImportError::Store(error) => error.into(),
        ImportError::Enqueue(error) => ApiError::internal(error),
    }
}

/// Why a feed of a file could not be added, in words.
pub(crate) fn import_text(code: &str, language: Language) -> String {
    let words = match code {
        "limit" => Words {
            en: "You read as many feeds as you may. Unsubscribe from some and import the file again.",
            ja: "購読できる件数の上限に達しました。不要な購読を解除してから、もう一度取り込んでください。",
        },
        "no_feed" => Words {
            en: "No feed was found at this address. Look on the site for a link to its feed.",
            ja: "このアドレスにフィードは見つかりませんでした。サイトでフィードへのリンクを探してください。",
        },
        "bad_address" => NO_ADDRESS,
        "out_of_resources" => Words {
            en: "The server ran out of files, memory or disk space. Import the file again.",
            ja: "サーバーのファイル数、メモリまたはディスク容量が不足しました。もう一度取り込んでください。",
        },
        code => return attempt_problem_text(code, language),
    };
    words.in_language(language).to_owned()
}

fn of_address(error: &AddressError) -> Words {
    match error {
        AddressError::Empty => MISSING,
        AddressError::TooLong => TOO_LONG,
        AddressError::NoAddress => NO_ADDRESS,
        AddressError::Scheme(_) => SCHEME,
    }
}
