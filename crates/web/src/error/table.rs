//! All errors with their status, category and messages in English and Japanese.
//!
//! The key of a row is the name of a variant of an error enum. A placeholder such as `{max}` is a number of that variant.
//! Tests compare the table with the enums.

use super::{
    Category::{Auth, Feed, System, Validation},
    row::{ErrorRow, error, field, text},
};
use crate::LocalizedText;

/// The row of an error code, or of `internal` if the code is unknown.
pub(super) fn find(code: &str) -> &'static ErrorRow {
    ERRORS.iter().find(|row| row.key == code).unwrap_or(&ERRORS[0])
}

const TRY_LATER: LocalizedText = text("Try again in a moment.", "しばらくしてから、もう一度お試しください。");
const ASK_OWNER: LocalizedText = text("Ask the owner of this server.", "このサーバーの管理者にお問い合わせください。");
const SIGN_IN_AGAIN: LocalizedText = text("Start the sign-in again.", "もう一度、最初からログインしてください。");
const WAIT: LocalizedText = text("Try again in {seconds second}.", "{seconds} 秒後に、もう一度お試しください。");

/// The caller sets the name of the field.
const ANY_FIELD: &str = "";

/// Rows by error code.
pub(super) const ERRORS: &[ErrorRow] = &[
    // The server.
    error("internal", 500, System)
        .message("Something went wrong on the server.", "サーバーでエラーが発生しました。")
        .action(
            "Try again. If the problem continues, give the request ID to the owner of this server.",
            "もう一度お試しください。問題が続く場合は、リクエスト ID を管理者にお知らせください。",
        ),
    error("timed_out", 503, System)
        .message("The request took too long.", "処理に時間がかかりすぎたため中断しました。")
        .advice(TRY_LATER),
    error("database_unavailable", 503, System)
        .message("The database is not responding.", "データベースが応答していません。")
        .advice(TRY_LATER),
    error("disk_full", 503, System)
        .message(
            "The server's disk is full, so nothing can be saved.",
            "サーバーのディスク容量が不足しているため、保存できません。",
        )
        .action(
            "Ask the owner of this server to free up disk space, then try again.",
            "管理者に空き容量の確保を依頼してから、もう一度お試しください。",
        ),
    error("database_version", 503, System)
        .message(
            "The version of the database does not match this program.",
            "データベースのバージョンがこのプログラムと一致していません。",
        )
        .action(
            "Ask the owner of this server to run `kawaraban migrate` or to start the newer program.",
            "「kawaraban migrate」を実行するか新しいプログラムを起動するよう、管理者に依頼してください。",
        ),
    error("out_of_resources", 503, System)
        .message(
            "The server has run out of open files, memory or disk space.",
            "サーバーのファイル数、メモリ、またはディスク容量が不足しています。",
        )
        .advice(TRY_LATER),
    error("stopping", 503, System)
        .message("The server is shutting down.", "サーバーを停止しています。")
        .advice(TRY_LATER),
    error("too_many_requests", 429, System)
        .message("Too many requests.", "リクエストの回数が多すぎます。")
        .advice(WAIT),
    // Requests.
    error("invalid_request", 400, Validation)
        .message("The request is not valid.", "リクエストの内容が正しくありません。")
        .action("Check what you entered and try again.", "入力内容を確認して、もう一度お試しください。"),
    error("not_found", 404, Validation)
        .message("The requested item was not found.", "お探しのものは見つかりませんでした。")
        .action("Check the address, or go back to the list.", "アドレスを確認するか、一覧に戻ってください。"),
    error("method_not_allowed", 405, Validation)
        .message("This address does not support this method.", "このアドレスはこのメソッドに対応していません。")
        .action("Use one of the methods in the Allow header.", "Allow ヘッダーにあるメソッドを使用してください。"),
    error("body_too_large", 413, Validation)
        .message("The request is too large.", "送信されたデータが大きすぎます。")
        .action("Send less data at once.", "データを小さくして、もう一度お試しください。"),
    error("unsupported_media_type", 415, Validation)
        .message("This content type is not supported.", "このデータ形式には対応していません。")
        .action(
            "Send JSON with \"Content-Type: application/json\".",
            "「Content-Type: application/json」を指定して、JSON で送信してください。",
        ),
    error("opml_expected", 415, Validation)
        .shown_as("unsupported_media_type")
        .message("An OPML file is required.", "OPML ファイルが必要です。")
        .action(
            "Send the file itself with \"Content-Type: text/x-opml\" or \"text/xml\".",
            "「Content-Type: text/x-opml」または「text/xml」を指定して、ファイルをそのまま送信してください。",
        ),
    error("name_taken", 409, Validation)
        .message("This name is already in use.", "この名前はすでに使われています。")
        .action("Choose another name.", "別の名前を入力してください。"),
    error("folder_limit", 409, Validation)
        .message("You have reached the limit of {max} folders.", "作成できるフォルダーは {max} 個までです。")
        .action("Delete a folder you no longer need.", "不要なフォルダーを削除してください。"),
    error("token_limit", 409, Validation)
        .message("You have reached the limit of {max} API tokens.", "作成できる API トークンは {max} 個までです。")
        .action("Revoke a token you no longer use.", "使っていないトークンを取り消してください。"),
    error("undo_expired", 404, Validation)
        .message("This can no longer be undone.", "この操作はもう元に戻せません。")
        .action(
            "You can undo once, within {minutes minute}. Change the items one by one instead.",
            "元に戻せるのは {minutes} 分以内に 1 回だけです。記事を 1 件ずつ変更してください。",
        ),
    error("job_not_failed", 409, Validation)
        .message("This job has not failed.", "このジョブは失敗していません。")
        .action("Only failed jobs can be retried.", "再実行できるのは、失敗したジョブだけです。"),
    error("job_key_taken", 409, Validation)
        .message("Another job is already doing the same work.", "同じ処理を行うジョブがすでにあります。")
        .action("Wait until that job has finished.", "そのジョブが終わるまでお待ちください。"),
    error("job_not_queued", 409, Validation)
        .message("This job is no longer waiting.", "このジョブはすでに待機中ではありません。")
        .action("Only waiting jobs can be cancelled.", "キャンセルできるのは、待機中のジョブだけです。"),
    // Signing in.
    error("token_required", 401, Auth)
        .message("A valid token is required.", "有効なトークンが必要です。")
        .action(
            "Send the configured token in the header \"Authorization: Bearer\".",
            "設定したトークンを「Authorization: Bearer」ヘッダーで送信してください。",
        ),
    error("sign_in_required", 401, Auth)
        .message("You are not signed in.", "ログインしていません。")
        .action("Sign in and try again.", "ログインしてから、もう一度お試しください。"),
    error("owner_only", 403, Auth)
        .message("Only the owner can do this.", "この操作は管理者のみ行えます。")
        .advice(ASK_OWNER),
    error("cross_site", 403, Auth)
        .message("This request came from another site.", "別のサイトから送信されたリクエストです。")
        .action("Open Kawaraban directly and try again.", "Kawaraban を直接開いて、もう一度お試しください。"),
    error("wrong_credentials", 401, Auth)
        .message(
            "The e-mail address or password is incorrect.", "メールアドレスまたはパスワードが正しくありません。"
        )
        .action("Check both and try again.", "両方を確認して、もう一度お試しください。"),
    error("too_many_attempts", 429, Auth).message("Too many attempts.", "試行回数が多すぎます。").advice(WAIT),
    error("invalid_token", 401, Auth)
        .message("This API token is invalid or has been revoked.", "この API トークンは無効か、取り消されています。")
        .action("Create a new token in the settings.", "設定で新しいトークンを作成してください。"),
    error("scope_missing", 403, Auth)
        .message("This API token is read-only.", "この API トークンは読み取り専用です。")
        .action("Use a token with the \"write\" scope.", "スコープが「write」のトークンを使用してください。"),
    error("session_required", 403, Auth)
        .message("You cannot do this with an API token.", "API トークンではこの操作を行えません。")
        .action("Sign in with a browser and do it there.", "ブラウザーでログインして操作してください。"),
    error("sign_up_not_allowed", 403, Auth)
        .message(
            "You cannot create an account with this e-mail address.",
            "このメールアドレスではアカウントを作成できません。",
        )
        .advice(ASK_OWNER),
    error("registration_closed", 403, Auth)
        .message("Registration is closed.", "アカウントの新規登録は受け付けていません。")
        .advice(ASK_OWNER),
    error("local_accounts_off", 403, Auth)
        .message("Signing in with a password is turned off.", "パスワードでのログインは無効になっています。")
        .action(
            "Use one of the providers on the sign-in page.",
            "ログイン画面に表示されているプロバイダーでログインしてください。",
        ),
    error("email_taken", 409, Auth)
        .message("There is already an account with this e-mail address.", "このメールアドレスはすでに登録されています。")
        .action("Sign in, or use another address.", "ログインするか、別のメールアドレスを使用してください。"),
    error("email_not_verified", 403, Auth)
        .message("This e-mail address has not been verified.", "このメールアドレスは確認が済んでいません。")
        .action(
            "Sign in with your password and link the provider in the settings, or verify the address with the provider.",
            "パスワードでログインして設定で連携するか、プロバイダー側でメールアドレスの確認を済ませてください。",
        ),
    error("setup_link_invalid", 403, Auth)
        .message("This set-up link is invalid or has expired.", "この初期設定リンクは無効か、期限が切れています。")
        .action(
            "Use the link that Kawaraban printed when it last started, or restart it.",
            "最後の起動時に表示されたリンクを使うか、Kawaraban を再起動してください。",
        ),
    error("identity_taken", 409, Auth)
        .message(
            "This sign-in is already linked to another account.",
            "このログイン方法は、すでに別のアカウントと連携しています。",
        )
        .action("Choose another account at the provider.", "プロバイダーで別のアカウントを選択してください。"),
    error("last_way_in", 409, Auth)
        .message("This is the only way to sign in to the account.", "このアカウントにログインする唯一の方法です。")
        .action(
            "Set a password or link another provider first.",
            "先にパスワードを設定するか、別のプロバイダーと連携してください。",
        ),
    error("provider_unreachable", 502, Auth)
        .message("The provider is not responding.", "プロバイダーが応答していません。")
        .advice(TRY_LATER),
    error("provider_misconfigured", 502, Auth)
        .message("The provider is not set up correctly on this server.", "プロバイダーの設定が正しくありません。")
        .action("Ask the owner of this server to check the log.", "管理者にログの確認を依頼してください。"),
    error("provider_failed", 502, Auth)
        .message("The provider returned an error.", "プロバイダーがエラーを返しました。")
        .advice(SIGN_IN_AGAIN),
    error("provider_forged", 502, Auth)
        .message("The provider's response could not be verified.", "プロバイダーの応答を検証できませんでした。")
        .action(
            "Start the sign-in again. If the problem continues, give the request ID to the owner of this server.",
            "もう一度ログインしてください。問題が続く場合は、リクエスト ID を管理者にお知らせください。",
        ),
    error("sign_in_refused", 403, Auth)
        .message("The sign-in was cancelled at the provider.", "プロバイダーでログインがキャンセルされました。")
        .advice(SIGN_IN_AGAIN),
    error("sign_in_expired", 403, Auth)
        .message("The sign-in took too long.", "ログインに時間がかかりすぎました。")
        .advice(SIGN_IN_AGAIN),
    error("sign_in_mismatch", 403, Auth)
        .message("This sign-in was not started in this browser.", "このブラウザーで開始されたログインではありません。")
        .advice(SIGN_IN_AGAIN),
    // Subscribing and reading.
    error("already_subscribed", 409, Feed)
        .message("You are already subscribed to this feed.", "このフィードはすでに購読しています。")
        .action("Open it in the list.", "一覧から開いてください。"),
    error("subscription_limit", 409, Feed)
        .message("You have reached the limit of {max feed}.", "購読できるフィードは {max} 件までです。")
        .action("Unsubscribe from a feed you no longer read.", "読まなくなったフィードの購読を解除してください。"),
    error("not_stopped", 409, Feed)
        .message("This feed is not stopped.", "このフィードは停止していません。")
        .action("There is nothing to resume.", "再開する必要はありません。"),
    field("invalid_selector", "content")
        .message("A selector cannot be used.", "使えないセレクターがあります。")
        .action(
            "Use CSS selectors such as \".post-body\", one in each line.",
            "「.post-body」のような CSS セレクターを、1 行に 1 つずつ入力してください。",
        ),
    field("selector_too_long", "content")
        .message("Selectors can have {max} characters at most.", "セレクターは {max} 文字までです。")
        .action("Shorten them.", "短くしてください。"),
    error("rules_shared", 403, Feed)
        .message("Others read this feed too, and the rules apply to all of them.", "このフィードはほかの人も読んでいて、ルールは全員に適用されます。")
        .action("Ask an administrator to change them.", "管理者に変更を依頼してください。"),
    field("words_too_long", "include")
        .message("You can use {words} words of {max} characters at most.", "使えるのは {max} 文字までの語句 {words} 個までです。")
        .action("Use fewer or shorter words.", "語句を減らすか、短くしてください。"),
    error("no_page", 409, Feed)
        .message("No item of this feed has a page yet.", "このフィードには、ページのある記事がまだありません。")
        .action("Try again when an item has arrived.", "記事が届いてから、もう一度お試しください。"),
    error("feed_stopped", 409, Feed)
        .message("This feed is stopped.", "このフィードは停止しています。")
        .action("Resume it first.", "先に再開してください。"),
    error("feed_not_found", 422, Feed)
        .message("No feed was found at this address.", "このアドレスにフィードは見つかりませんでした。")
        .action(
            "Find the link to the feed (RSS or Atom) on the site and use that address, or watch the site itself.",
            "サイトでフィード（RSS または Atom）へのリンクを探してそのアドレスを入力するか、サイト自体の更新チェックを利用してください。",
        ),
    error("feeds_unreadable", 422, Feed)
        .shown_as("feed_not_found")
        .message(
            "This page links to feeds, but none of them could be read.",
            "このページにはフィードへのリンクがありますが、どれも読み取れませんでした。",
        )
        .action(
            "Choose one of them to try it again, or find another link to the feed (RSS or Atom) on the site.",
            "候補を選んでもう一度試すか、サイトで別のフィード（RSS または Atom）へのリンクを探してください。",
        ),
    // Fields of requests.
    field("field_missing", ANY_FIELD).message("This field is required.", "この項目は必須です。"),
    field("field_unusable", ANY_FIELD).message("This value is not valid.", "この値は使用できません。"),
    field("field_twice", ANY_FIELD).message("This field appears twice.", "この項目が重複しています。"),
    field("field_has_nul", ANY_FIELD).message("Remove the NUL character.", "NUL 文字を削除してください。"),
    field("invalid_item_id", ANY_FIELD).message(
        "Use the ID of an item: a number in quotation marks.",
        "記事の ID（数字の文字列）を指定してください。",
    ),
    field("invalid_item_count", "ids")
        .message("Specify {min} to {max} items.", "記事は {min} 件から {max} 件の間で指定してください。"),
    field("unknown_cursor", "cursor").message(
        "Use the next_cursor of the previous page without changing it.",
        "前のページの next_cursor をそのまま指定してください。",
    ),
    field("unknown_folder", "folder_id").message(
        "This folder does not exist. Choose one of your folders, or null for none.",
        "このフォルダーは存在しません。自分のフォルダーを選ぶか、なしの場合は null を指定してください。",
    ),
    field("name_missing", "name").message("Enter a name.", "名前を入力してください。"),
    field("name_too_long", "name")
        .message("Enter a name of up to {max} characters.", "名前は {max} 文字以内で入力してください。"),
    field("title_too_long", "title")
        .message("Enter a title of up to {max} characters.", "タイトルは {max} 文字以内で入力してください。"),
    field("invalid_interval", "fetch_interval_minutes").message(
        "Choose {min} to {max} minutes, in steps of {step}.",
        "{min} 分から {max} 分の間で、{step} 分単位で指定してください。",
    ),
    field("address_missing", "url").message(
        "Enter an address such as https://example.com.",
        "https://example.com のようなアドレスを入力してください。",
    ),
    field("address_too_long", "url").message(
        "This address is too long. Enter one such as https://example.com.",
        "アドレスが長すぎます。https://example.com のように入力してください。",
    ),
    field("address_invalid", "url").message(
        "This is not an address. Enter one such as https://example.com.",
        "アドレスが正しくありません。https://example.com のように入力してください。",
    ),
    field("address_scheme", "url").message(
        "Enter an address that begins with https:// or http://.",
        "https:// または http:// で始まるアドレスを入力してください。",
    ),
    field("not_opml", "body").message(
        "This is not an OPML file. Export the subscriptions of your other reader as OPML and choose that file.",
        "OPML ファイルではありません。お使いのリーダーから OPML で書き出したファイルを選択してください。",
    ),
    field("opml_empty", "body")
        .message("There are no feeds in this file.", "このファイルにはフィードがありません。"),
    field("opml_too_many_feeds", "body").message(
        "This file has more than {max} feeds. Split it into several files.",
        "フィードが {max} 件を超えています。ファイルを分割してください。",
    ),
    field("query_empty", "q").message("Enter a word to search for.", "検索する言葉を入力してください。"),
    field("query_only_excludes", "q").message(
        "Enter at least one word that is not excluded.",
        "除外する言葉だけでなく、検索する言葉も入力してください。",
    ),
    field("query_too_long", "q").message("Enter up to {max} characters.", "{max} 文字以内で入力してください。"),
    field("query_too_many_words", "q").message("Enter up to {max} words.", "{max} 語以内で入力してください。"),
    field("invalid_email", "email").message(
        "Enter an e-mail address such as ann@example.com.",
        "ann@example.com のようなメールアドレスを入力してください。",
    ),
    field("password_too_short", "password")
        .message("Choose a password of at least {min} characters.", "パスワードは {min} 文字以上にしてください。"),
    field("password_too_long", "password")
        .message("Choose a password of up to {max} characters.", "パスワードは {max} 文字以内にしてください。"),
    field("password_too_common", "password").message(
        "This password is too easy to guess. Choose another one.",
        "推測されやすいパスワードです。別のパスワードを入力してください。",
    ),
    field("wrong_current_password", "current_password")
        .message("This is not your current password.", "現在のパスワードと一致しません。"),
    field("preferences_too_large", "preferences").message(
        "Preferences can take up to {kilobytes} kB.", "設定データは {kilobytes} KB 以内にしてください。"
    ),
];
