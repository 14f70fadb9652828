//! Words for everything that can be wrong with a feed: what happened and what to do. A new [`Problem`] without words does
//! not compile.

use http::StatusCode;
use read::Problem;
use store::feeds::FetchStatus;

use super::{Category, words::Entry};
use crate::{Language, Words};

/// How a problem is told to somebody who just asked for the feed.
pub(super) fn entry(problem: Problem) -> Entry {
    let status = match problem {
        Problem::AddressRefused | Problem::NotAFeed => StatusCode::UNPROCESSABLE_ENTITY,
        Problem::Timeout => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::BAD_GATEWAY,
    };
    Entry {
        status,
        code: code(problem),
        category: Category::Feed,
        message: message(problem),
        action: what_to_try(problem),
    }
}

/// What is wrong with a feed that is subscribed to, and what to do; nothing if all is well.
pub(crate) fn feed_problem_text(code: Option<&str>, status: FetchStatus, language: Language) -> Option<String> {
    let code = code?;
    let problem = Problem::from_code(code);
    let message = problem.map_or(UNKNOWN, message);
    let advice = match (status, problem) {
        (FetchStatus::Stopped, Some(problem)) => what_to_do(problem),
        (FetchStatus::Stopped, None) => RESUME,
        _ => WAIT,
    };
    Some(joined(message, advice, language))
}

/// Why a feed could not be added, and what to do.
pub(crate) fn attempt_problem_text(code: &str, language: Language) -> String {
    let (message, action) = match Problem::from_code(code) {
        Some(problem) => (message(problem), what_to_try(problem)),
        None => (UNKNOWN, LATER),
    };
    joined(message, action, language)
}

fn joined(message: Words, action: Words, language: Language) -> String {
    let space = match language {
        Language::English => " ",
        Language::Japanese => "",
    };
    [message.in_language(language), action.in_language(language)].join(space)
}

const fn words(en: &'static str, ja: &'static str) -> Words {
    Words { en, ja }
}

const UNKNOWN: Words = words("The feed could not be fetched.", "フィードを取得できませんでした。");
const WAIT: Words =
    words("Nothing to do: it is tried again by itself.", "自動的に再試行しますので、そのままお待ちください。");
const RESUME: Words = words(
    "When the site works again, resume fetching; or unsubscribe.",
    "サイトが復旧したら取得を再開してください。不要であれば購読を解除してください。",
);
const LATER: Words =
    words("Check the address, or try again later.", "アドレスを確認するか、しばらくしてからもう一度お試しください。");
const NEW_ADDRESS: Words =
    words("Unsubscribe, or look for its new address.", "購読を解除するか、新しいアドレスを探してください。");
const OTHER_ADDRESS: Words = words(
    "Open the site in a browser and look for the address of its feed.",
    "ブラウザでサイトを開き、フィードのアドレスを確認してください。",
);
const ASK_SITE: Words = words(
    "Ask the site whether it offers a feed without signing in.",
    "ログインなしで読めるフィードがあるか、サイトに確認してください。",
);
const ASK_TO_BE_LET_IN: Words = words(
    "Ask the site to let feed readers in, or look for another address of the feed.",
    "フィードリーダーを許可するようサイトに依頼するか、別のアドレスを探してください。",
);

/// The code in an answer: the problem's own, marked as a feed's.
fn code(problem: Problem) -> &'static str {
    match problem {
        Problem::Gone => "feed_gone",
        Problem::NotFound => "feed_missing",
        Problem::LoginRequired => "feed_login_required",
        Problem::Forbidden => "feed_forbidden",
        Problem::BotWall => "feed_bot_wall",
        Problem::RateLimited => "feed_rate_limited",
        Problem::ServerError => "feed_server_error",
        Problem::UnexpectedStatus => "feed_unexpected_status",
        Problem::Timeout => "feed_timeout",
        Problem::UnknownHost => "feed_unknown_host",
        Problem::Unreachable => "feed_unreachable",
        Problem::InsecureConnection => "feed_insecure_connection",
        Problem::BrokenAnswer => "feed_broken_answer",
        Problem::TooLarge => "feed_too_large",
        Problem::RedirectLoop => "feed_redirect_loop",
        Problem::AddressRefused => "address_refused",
        // The same as when no candidate was found: there was none.
        Problem::NotAFeed => "feed_not_found",
    }
}

fn message(problem: Problem) -> Words {
    match problem {
        Problem::Gone => words("The site says this feed is gone (410).", "このフィードは廃止されました（410）。"),
        Problem::NotFound => {
            words("There is nothing at this address (404).", "このアドレスには何もありません（404）。")
        }
        Problem::LoginRequired => words("The site wants a sign-in (401).", "サイトがログインを求めています（401）。"),
        Problem::Forbidden => words("The site refuses us (403).", "サイトにアクセスを拒否されました（403）。"),
        Problem::BotWall => words(
            "The site lets only browsers in, with a person in front of them.",
            "このサイトは、人が操作するブラウザだけを受け付けています。",
        ),
        Problem::RateLimited => {
            words("The site says it was asked too often (429).", "アクセスが多すぎるとサイトが回答しています（429）。")
        }
        Problem::ServerError => words("The site has a fault of its own.", "サイト側でエラーが発生しています。"),
        Problem::UnexpectedStatus => {
            words("The site gave an answer that makes no sense here.", "サイトから想定外の応答がありました。")
        }
        Problem::Timeout => words("The site took too long to answer.", "サイトの応答に時間がかかりすぎました。"),
        Problem::UnknownHost => words("There is no site of this name.", "この名前のサイトは見つかりません。"),
        Problem::Unreachable => words("The site cannot be reached.", "サイトに接続できません。"),
        Problem::InsecureConnection => {
            words("The connection to the site is not secure.", "サイトとの安全な接続を確立できません。")
        }
        Problem::BrokenAnswer => words("The site's answer is damaged.", "サイトの応答が壊れています。"),
        Problem::TooLarge => words("What came is too large for a feed.", "フィードとしては大きすぎます。"),
        Problem::RedirectLoop => {
            words("The site sends us in a circle, or nowhere.", "転送が繰り返され、たどり着けません。")
        }
        Problem::AddressRefused => words(
            "This address is not fetched from: it is not on the public internet.",
            "公開されたインターネット上にないため、このアドレスからは取得できません。",
        ),
        Problem::NotAFeed => words("What is there is not a feed.", "このアドレスの内容はフィードではありません。"),
    }
}

/// For somebody who just gave the address.
fn what_to_try(problem: Problem) -> Words {
    match problem {
        Problem::Gone | Problem::NotFound | Problem::NotAFeed | Problem::TooLarge | Problem::RedirectLoop => {
            OTHER_ADDRESS
        }
        Problem::LoginRequired => ASK_SITE,
        Problem::Forbidden | Problem::BotWall => ASK_TO_BE_LET_IN,
        Problem::UnknownHost => words("Check the spelling of the address.", "アドレスの綴りを確認してください。"),
        Problem::AddressRefused => words(
            "Use a public address. The operator can allow a network of their own with FETCH_ALLOW_NETS.",
            "公開されているアドレスを指定してください。管理者は FETCH_ALLOW_NETS で独自のネットワークを許可できます。",
        ),
        Problem::RateLimited
        | Problem::ServerError
        | Problem::UnexpectedStatus
        | Problem::Timeout
        | Problem::Unreachable
        | Problem::InsecureConnection
        | Problem::BrokenAnswer => LATER,
    }
}

/// For somebody whose feed has stopped.
fn what_to_do(problem: Problem) -> Words {
    match problem {
        Problem::Gone | Problem::NotFound => NEW_ADDRESS,
        Problem::LoginRequired => ASK_SITE,
        Problem::Forbidden | Problem::BotWall => ASK_TO_BE_LET_IN,
        Problem::NotAFeed => words(
            "Open the address in a browser. If it is a feed again, resume fetching; otherwise look for its new address.",
            "ブラウザでアドレスを開いてください。フィードに戻っていれば取得を再開し、そうでなければ新しいアドレスを探してください。",
        ),
        _ => RESUME,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_told_in_both_languages_and_says_what_to_do() {
        for problem in Problem::ALL {
            for status in [FetchStatus::Error, FetchStatus::Stopped] {
                let told = |language| feed_problem_text(Some(problem.code()), status, language).unwrap();
                assert!(told(Language::English).is_ascii(), "{problem}");
                assert!(told(Language::English).matches(". ").count() >= 1, "{problem}: what happened and what to do");
                assert!(!told(Language::Japanese).contains(' ') || problem == Problem::AddressRefused, "{problem}");
                assert!(told(Language::Japanese).matches('。').count() >= 2, "{problem}");
            }
            assert!(attempt_problem_text(problem.code(), Language::English).is_ascii(), "{problem}");
        }
        assert_eq!(feed_problem_text(None, FetchStatus::Active, Language::English), None);
        assert_eq!(
            feed_problem_text(Some("gone"), FetchStatus::Stopped, Language::English).unwrap(),
            "The site says this feed is gone (410). Unsubscribe, or look for its new address."
        );
    }

    #[test]
    fn a_code_of_a_newer_program_is_told_too() {
        assert!(feed_problem_text(Some("from the future"), FetchStatus::Error, Language::Japanese).is_some());
        assert!(!attempt_problem_text("from the future", Language::English).is_empty());
    }
}
