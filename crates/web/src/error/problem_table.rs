//! The problems of feeds, sites and pages with their messages in English and Japanese: rows like those of `table.rs`.

use super::{
    Category::Feed,
    row::{ErrorRow, error, text},
};
use crate::LocalizedText;

/// The row of a stored problem code. An unknown code, stored by a newer version, gets the row of a server error.
pub(super) fn find_problem(code: &str) -> &'static ErrorRow {
    let mut rows = PROBLEMS.iter().chain(IMPORT_FAILURES);
    rows.find(|row| row.key == code).unwrap_or(&IMPORT_FAILURES[0])
}

const CHECK_LATER: LocalizedText =
    text("Check the address, or try again later.", "アドレスを確認するか、しばらくしてからもう一度お試しください。");
const FIND_FEED: LocalizedText = text(
    "Open the site in a browser and find the address of its feed.",
    "ブラウザーでサイトを開き、フィードのアドレスを確認してください。",
);
const FIND_OPEN_FEED: LocalizedText = text(
    "Ask the site whether it has a feed that does not require signing in.",
    "ログインせずに読めるフィードがあるか、サイトに確認してください。",
);
const ASK_FOR_ACCESS: LocalizedText = text(
    "Ask the site to allow feed readers, or look for another address of the feed.",
    "フィードリーダーを許可するようサイトに依頼するか、フィードの別のアドレスを探してください。",
);
const FIND_NEW_ADDRESS: LocalizedText =
    text("Find the new address of the feed, or unsubscribe.", "新しいアドレスを探すか、購読を解除してください。");
const RESUME: LocalizedText = text(
    "Try again when the site works, change the address, or unsubscribe.",
    "サイトが復旧したら再試行してください。アドレスの変更や購読の解除もできます。",
);
/// What to do about a feed that is still retried.
pub(super) const AUTOMATIC: LocalizedText =
    text("It will be tried again automatically.", "自動的に再試行しますので、お待ちください。");
/// Advice and messages about the page of an item.
pub(super) const OPEN_ORIGINAL: LocalizedText =
    text("Open the original to read it.", "元のページを開いてお読みください。");
pub(super) const PAGE_GONE: LocalizedText =
    text("The site answered 410: this page has been removed.", "サイトの応答は410です。このページは削除されました。");
pub(super) const PAGE_TOO_LARGE: LocalizedText = text("This page is too large.", "このページは大きすぎます。");
/// Advice about a page that cannot be watched.
const OTHER_PAGE: LocalizedText = text(
    "Open the page in a browser, and use the address of another page that lists the posts.",
    "ブラウザーでページを開き、記事の一覧がある別のページのアドレスを使用してください。",
);

/// Rows by stored problem code.
pub(super) const PROBLEMS: &[ErrorRow] = &[
    problem("gone", "feed_gone", 502)
        .message("The site answered 410: this feed has been removed.", "サイトの応答は410です。このフィードは削除されました。")
        .advice(FIND_FEED)
        .stopped(FIND_NEW_ADDRESS),
    problem("not_found", "feed_missing", 502)
        .message("The site answered 404: there is nothing at this address.", "サイトの応答は404です。このアドレスには何もありません。")
        .advice(FIND_FEED)
        .stopped(FIND_NEW_ADDRESS),
    problem("login_required", "feed_login_required", 502)
        .message("The site answered 401: it requires signing in.", "サイトの応答は401です。ログインが必要です。")
        .advice(FIND_OPEN_FEED)
        .stopped(FIND_OPEN_FEED),
    problem("forbidden", "feed_forbidden", 502)
        .message("The site answered 403: it denies access.", "サイトの応答は403です。アクセスが拒否されました。")
        .advice(ASK_FOR_ACCESS)
        .stopped(ASK_FOR_ACCESS),
    problem("bot_wall", "feed_bot_wall", 502)
        .message("The site only allows visits from a browser.", "このサイトはブラウザー以外からのアクセスを制限しています。")
        .advice(ASK_FOR_ACCESS)
        .stopped(ASK_FOR_ACCESS),
    problem("rate_limited", "feed_rate_limited", 502)
        .message("The site answered 429: it is limiting requests.", "サイトの応答は429です。アクセスの回数が制限されています。"),
    problem("server_error", "feed_server_error", 502)
        .message("The site answered with a server error.", "サイト側でエラーが発生しています。"),
    problem("unexpected_status", "feed_unexpected_status", 502)
        .message("The site sent an unexpected response.", "サイトから想定外の応答がありました。"),
    problem("timeout", "feed_timeout", 504)
        .message("The site took too long to respond.", "サイトの応答に時間がかかりすぎました。"),
    problem("unknown_host", "feed_unknown_host", 502)
        .message("There is no site with this name.", "この名前のサイトは見つかりません。")
        .action("Check the spelling of the address.", "アドレスのつづりを確認してください。"),
    problem("unreachable", "feed_unreachable", 502)
        .message("The site cannot be reached.", "サイトに接続できません。"),
    problem("insecure_connection", "feed_insecure_connection", 502)
        .message("A secure connection to the site is not possible.", "サイトとの安全な接続を確立できません。"),
    problem("broken_answer", "feed_broken_answer", 502)
        .message("The site's response is damaged.", "サイトの応答が破損しています。"),
    problem("too_large", "feed_too_large", 502)
        .message("This is too large to be a feed.", "フィードとしては大きすぎます。")
        .advice(FIND_FEED),
    problem("redirect_loop", "feed_redirect_loop", 502)
        .message("The site redirects in a loop.", "サイトのリダイレクトがループしています。")
        .advice(FIND_FEED),
    problem("address_refused", "address_refused", 422)
        .message(
            "This address is not on the public internet, so it cannot be fetched.",
            "インターネットに公開されていないアドレスのため、取得できません。",
        )
        .action(
            "Use a public address. The owner of this server can allow a private network with FETCH_ALLOW_NETS.",
            "公開されているアドレスを使用してください。管理者は FETCH_ALLOW_NETS でプライベートネットワークを許可できます。",
        ),
    problem("not_a_feed", "feed_not_found", 422)
        .message("This address is not a feed.", "このアドレスの内容はフィードではありません。")
        .advice(FIND_FEED)
        .stopped(text(
            "Open the address in a browser. If it is a feed again, try again; otherwise find the new address.",
            "ブラウザーでアドレスを開いてください。フィードに戻っていれば再試行し、そうでなければ新しいアドレスを探してください。",
        )),
    problem("no_posts", "no_posts", 422)
        .message("No list of posts was found on this page.", "このページに記事の一覧が見つかりませんでした。")
        .advice(OTHER_PAGE)
        .stopped(OTHER_PAGE),
    problem("list_broke", "list_broke", 422)
        .message(
            "The list of posts on this page is gone. It is looked for again at every check.",
            "このページの記事一覧がなくなりました。確認のたびに探し直します。",
        )
        .advice(OTHER_PAGE)
        .stopped(OTHER_PAGE),
    problem("needs_script", "needs_script", 422)
        .message(
            "This page is made by a script in the browser, so its posts cannot be read.",
            "このページはブラウザーのスクリプトで作られているため、記事を読み取れません。",
        )
        .advice(OTHER_PAGE)
        .stopped(OTHER_PAGE),
    problem("captcha", "captcha", 422)
        .message("This page asks for a captcha or a login.", "このページは、ロボットではないことの確認またはログインを求めています。")
        .advice(OTHER_PAGE)
        .stopped(OTHER_PAGE),
    problem("no_article", "no_article", 422)
        .message("No article was found on this page.", "このページに記事が見つかりませんでした。")
        .advice(OPEN_ORIGINAL),
    problem("robots_refused", "robots_refused", 422)
        .message("The site asks programs not to fetch this page.", "このサイトは、プログラムによるこのページの取得を望んでいません。")
        .advice(OPEN_ORIGINAL),
];

/// Rows by stored code of a failed import.
pub(super) const IMPORT_FAILURES: &[ErrorRow] = &[
    error("internal", 500, Feed)
        .message("The feed could not be fetched.", "フィードを取得できませんでした。")
        .advice(CHECK_LATER)
        .stopped(RESUME),
    error("limit", 409, Feed)
        .message("You have reached the limit of feeds.", "購読できるフィードの上限に達しました。")
        .action(
            "Unsubscribe from some feeds and import the file again.",
            "不要な購読を解除してから、もう一度インポートしてください。",
        ),
    error("no_feed", 422, Feed)
        .message("No feed was found at this address.", "このアドレスにフィードは見つかりませんでした。")
        .action("Find the link to the feed on the site.", "サイトでフィードへのリンクを探してください。"),
    error("bad_address", 400, Feed)
        .message("This is not an address.", "アドレスが正しくありません。")
        .action("Use one such as https://example.com.", "https://example.com のようなアドレスを使用してください。"),
    error("out_of_resources", 503, Feed)
        .message(
            "The server ran out of open files, memory or disk space.",
            "サーバーのファイル数、メモリ、またはディスク容量が不足しました。",
        )
        .action("Import the file again.", "もう一度インポートしてください。"),
];

/// The row of a problem, which is usually temporary.
const fn problem(key: &'static str, code: &'static str, status: u16) -> ErrorRow {
    error(key, status, Feed).shown_as(code).advice(CHECK_LATER).stopped(RESUME)
}
