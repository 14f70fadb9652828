//! The table of errors: status, code, category, and what a person reads, in both languages.

use http::StatusCode;

use super::{ApiError, Category, denied, problems, reading};
use crate::Words;

/// Stands in words for a number that only the error knows.
pub(super) const NUMBER: &str = "{n}";

/// How an error is told. `{n}` in its words is the number that the error carries.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub status: StatusCode,
    pub code: &'static str,
    pub category: Category,
    /// What is the matter.
    pub message: Words,
    /// What to do about it.
    pub action: Words,
}

/// The table, read by error.
pub(super) fn entry(error: &ApiError) -> Entry {
    match error {
        ApiError::Invalid(_) => INVALID,
        ApiError::TokenRequired => TOKEN_REQUIRED,
        ApiError::SignInRequired => SIGN_IN_REQUIRED,
        ApiError::Denied(denied) => denied::entry(*denied),
        ApiError::OwnerOnly => OWNER_ONLY,
        ApiError::CrossSite => CROSS_SITE,
        ApiError::TooManyRequests { .. } => TOO_MANY_REQUESTS,
        ApiError::AlreadySubscribed(_) => reading::ALREADY_SUBSCRIBED,
        ApiError::SubscriptionLimit(_) => reading::SUBSCRIPTION_LIMIT,
        ApiError::FolderLimit(_) => reading::FOLDER_LIMIT,
        ApiError::TokenLimit(_) => TOKEN_LIMIT,
        ApiError::NameTaken => reading::NAME_TAKEN,
        ApiError::NotStopped => reading::NOT_STOPPED,
        ApiError::FeedStopped => reading::FEED_STOPPED,
        ApiError::UndoExpired => reading::UNDO_EXPIRED,
        ApiError::FeedNotFound(candidates) if candidates.is_empty() => reading::FEED_NOT_FOUND,
        ApiError::FeedNotFound(_) => reading::CANDIDATES_FAILED,
        ApiError::Feed(problem) => problems::entry(*problem),
        ApiError::JobNotFailed => JOB_NOT_FAILED,
        ApiError::JobKeyTaken => JOB_KEY_TAKEN,
        ApiError::JobNotQueued => JOB_NOT_QUEUED,
        ApiError::NotFound => NOT_FOUND,
        ApiError::MethodNotAllowed => METHOD_NOT_ALLOWED,
        ApiError::BodyTooLarge => BODY_TOO_LARGE,
        ApiError::UnsupportedMediaType => UNSUPPORTED_MEDIA_TYPE,
        ApiError::OpmlExpected => reading::OPML_EXPECTED,
        ApiError::TimedOut => TIMED_OUT,
        ApiError::DatabaseUnavailable(_) => DATABASE_UNAVAILABLE,
        ApiError::DiskFull(_) => DISK_FULL,
        ApiError::DatabaseVersion(_) => DATABASE_VERSION,
        ApiError::OutOfResources(_) => OUT_OF_RESOURCES,
        ApiError::Stopping => STOPPING,
        ApiError::Internal(_) => INTERNAL,
    }
}

const INVALID: Entry = Entry {
    status: StatusCode::BAD_REQUEST,
    code: "invalid_request",
    category: Category::Validation,
    message: Words { en: "The request is not valid.", ja: "リクエストの内容が正しくありません。" },
    action: Words {
        en: "Correct what was entered and send it again.",
        ja: "入力内容を修正して、もう一度送信してください。",
    },
};

const TOKEN_REQUIRED: Entry = Entry {
    status: StatusCode::UNAUTHORIZED,
    code: "token_required",
    category: Category::Auth,
    message: Words { en: "A valid token is required.", ja: "有効なトークンが必要です。" },
    action: Words {
        en: "Send the header \"Authorization: Bearer\" with the configured token.",
        ja: "設定されたトークンを「Authorization: Bearer」ヘッダーで送信してください。",
    },
};

const SIGN_IN_REQUIRED: Entry = Entry {
    status: StatusCode::UNAUTHORIZED,
    code: "sign_in_required",
    category: Category::Auth,
    message: Words { en: "You are not signed in.", ja: "ログインしていません。" },
    action: Words { en: "Sign in and try again.", ja: "ログインして、もう一度お試しください。" },
};

const OWNER_ONLY: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "owner_only",
    category: Category::Auth,
    message: Words { en: "Only the owner may do this.", ja: "この操作は所有者だけができます。" },
    action: Words {
        en: "Ask the owner of this Kawaraban.", ja: "この Kawaraban の所有者に依頼してください。"
    },
};

const CROSS_SITE: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "cross_site",
    category: Category::Auth,
    message: Words {
        en: "A page of another site sent this request.",
        ja: "別のサイトのページから送られたリクエストです。",
    },
    action: Words {
        en: "Open Kawaraban itself and try again there.",
        ja: "Kawaraban を直接開いて、もう一度お試しください。",
    },
};

const TOO_MANY_REQUESTS: Entry = Entry {
    status: StatusCode::TOO_MANY_REQUESTS,
    code: "too_many_requests",
    category: Category::System,
    message: Words { en: "That was too often in a short time.", ja: "短い間に回数が多すぎます。" },
    action: Words {
        en: "Try again in {n} seconds.", ja: "{n} 秒待ってから、もう一度お試しください。"
    },
};

const TOKEN_LIMIT: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "token_limit",
    category: Category::Validation,
    message: Words {
        en: "You have {n} API tokens, which is as many as you may.",
        ja: "作れる API トークンは {n} 個までです。",
    },
    action: Words {
        en: "Revoke one that you do not use any more.", ja: "使っていないトークンを取り消してください。"
    },
};

const JOB_NOT_FAILED: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "job_not_failed",
    category: Category::Validation,
    message: Words { en: "This job has not failed.", ja: "このジョブは失敗していません。" },
    action: Words {
        en: "Only failed jobs can be retried.", ja: "再実行できるのは失敗したジョブだけです。"
    },
};

const JOB_KEY_TAKEN: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "job_key_taken",
    category: Category::Validation,
    message: Words {
        en: "Another job does the same already.", ja: "同じ内容の別のジョブがすでにあります。"
    },
    action: Words {
        en: "Wait until that one has ended.", ja: "そのジョブが終わるまでお待ちください。"
    },
};

const JOB_NOT_QUEUED: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "job_not_queued",
    category: Category::Validation,
    message: Words {
        en: "This job does not wait any more.", ja: "このジョブはもう待機中ではありません。"
    },
    action: Words {
        en: "Only waiting jobs can be cancelled.", ja: "取り消せるのは待機中のジョブだけです。"
    },
};

const NOT_FOUND: Entry = Entry {
    status: StatusCode::NOT_FOUND,
    code: "not_found",
    category: Category::Validation,
    message: Words {
        en: "There is nothing at this address.", ja: "お探しのものは見つかりませんでした。"
    },
    action: Words {
        en: "Check the address, or go back to the list.",
        ja: "アドレスを確認するか、一覧に戻ってください。",
    },
};

const METHOD_NOT_ALLOWED: Entry = Entry {
    status: StatusCode::METHOD_NOT_ALLOWED,
    code: "method_not_allowed",
    category: Category::Validation,
    message: Words {
        en: "This address does not take this method.",
        ja: "このアドレスでは、このメソッドは使えません。",
    },
    action: Words {
        en: "Use a method that the header Allow names.",
        ja: "Allow ヘッダーにあるメソッドを使ってください。",
    },
};

const BODY_TOO_LARGE: Entry = Entry {
    status: StatusCode::PAYLOAD_TOO_LARGE,
    code: "body_too_large",
    category: Category::Validation,
    message: Words { en: "What was sent is too large.", ja: "送信されたデータが大きすぎます。" },
    action: Words { en: "Send less at once.", ja: "一度に送るデータを小さくしてください。" },
};

const UNSUPPORTED_MEDIA_TYPE: Entry = Entry {
    status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
    code: "unsupported_media_type",
    category: Category::Validation,
    message: Words {
        en: "What was sent is not of a type that is understood here.",
        ja: "送信されたデータの形式には対応していません。",
    },
    action: Words {
        en: "Send JSON with \"Content-Type: application/json\".",
        ja: "「Content-Type: application/json」を付けて JSON で送信してください。",
    },
};

const TIMED_OUT: Entry = Entry {
    status: StatusCode::SERVICE_UNAVAILABLE,
    code: "timed_out",
    category: Category::System,
    message: Words { en: "This took too long.", ja: "処理に時間がかかりすぎました。" },
    action: TRY_LATER,
};

const DATABASE_UNAVAILABLE: Entry = Entry {
    status: StatusCode::SERVICE_UNAVAILABLE,
    code: "database_unavailable",
    category: Category::System,
    message: Words { en: "The database does not answer.", ja: "データベースが応答していません。" },
    action: TRY_LATER,
};

const DISK_FULL: Entry = Entry {
    status: StatusCode::SERVICE_UNAVAILABLE,
    code: "disk_full",
    category: Category::System,
    message: Words {
        en: "The server's disk is full, so nothing can be saved.",
        ja: "サーバーのディスクがいっぱいのため、保存できません。",
    },
    action: Words {
        en: "Ask the operator to free some disk space, then try again.",
        ja: "管理者にディスクの空き容量を増やすよう依頼し、もう一度お試しください。",
    },
};

const DATABASE_VERSION: Entry = Entry {
    status: StatusCode::SERVICE_UNAVAILABLE,
    code: "database_version",
    category: Category::System,
    message: Words {
        en: "The database does not have the version that this program needs.",
        ja: "データベースのバージョンがこのプログラムと合っていません。",
    },
    action: Words {
        en: "Ask the operator to run `kawaraban migrate`, or to start the newer program.",
        ja: "「kawaraban migrate」を実行するか、新しいプログラムを起動するよう管理者に依頼してください。",
    },
};

const OUT_OF_RESOURCES: Entry = Entry {
    status: StatusCode::SERVICE_UNAVAILABLE,
    code: "out_of_resources",
    category: Category::System,
    message: Words {
        en: "The server has run out of files, memory or disk space.",
        ja: "サーバーのファイル数、メモリまたはディスク容量が不足しています。",
    },
    action: TRY_LATER,
};

const STOPPING: Entry = Entry {
    status: StatusCode::SERVICE_UNAVAILABLE,
    code: "stopping",
    category: Category::System,
    message: Words { en: "The server is stopping.", ja: "サーバーを停止しています。" },
    action: TRY_LATER,
};

const INTERNAL: Entry = Entry {
    status: StatusCode::INTERNAL_SERVER_ERROR,
    code: "internal",
    category: Category::System,
    message: Words {
        en: "Something went wrong on the server.", ja: "サーバーでエラーが発生しました。"
    },
    action: Words {
        en: "Try again. If it happens again, tell the operator the request id.",
        ja: "もう一度お試しください。繰り返す場合は、リクエスト ID を管理者にお知らせください。",
    },
};

pub(super) const TRY_LATER: Words =
    Words { en: "Try again in a moment.", ja: "しばらく待ってから、もう一度お試しください。" };
