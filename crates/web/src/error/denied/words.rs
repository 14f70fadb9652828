//! What people who are not let in read, in both languages.

use http::StatusCode;

use crate::{
    Words,
    error::{
        Category,
        words::{Entry, TRY_LATER},
    },
};

const BEGIN_AGAIN: Words =
    Words { en: "Begin the sign-in again.", ja: "もう一度、最初からログインしてください。" };
const ASK_THE_OWNER: Words =
    Words { en: "Ask the owner of this Kawaraban.", ja: "この Kawaraban の所有者に依頼してください。" };

pub(super) const WRONG_CREDENTIALS: Entry = Entry {
    status: StatusCode::UNAUTHORIZED,
    code: "wrong_credentials",
    category: Category::Auth,
    message: Words {
        en: "E-mail address or password is wrong.",
        ja: "メールアドレスまたはパスワードが正しくありません。",
    },
    action: Words {
        en: "Check both and try again.", ja: "両方を確認して、もう一度お試しください。"
    },
};

pub(super) const TOO_MANY_ATTEMPTS: Entry = Entry {
    status: StatusCode::TOO_MANY_REQUESTS,
    code: "too_many_attempts",
    category: Category::Auth,
    message: Words {
        en: "There were too many wrong passwords.", ja: "パスワードの間違いが多すぎます。"
    },
    action: Words {
        en: "Try again in {n} seconds.", ja: "{n} 秒待ってから、もう一度お試しください。"
    },
};

pub(super) const INVALID_TOKEN: Entry = Entry {
    status: StatusCode::UNAUTHORIZED,
    code: "invalid_token",
    category: Category::Auth,
    message: Words {
        en: "This API token is unknown or was revoked.",
        ja: "この API トークンは無効か、取り消されています。",
    },
    action: Words {
        en: "Make a new token in the settings.", ja: "設定で新しいトークンを作成してください。"
    },
};

pub(super) const SCOPE_MISSING: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "scope_missing",
    category: Category::Auth,
    message: Words { en: "This API token may only read.", ja: "この API トークンは読み取り専用です。" },
    action: Words {
        en: "Use a token with the scope \"write\".",
        ja: "スコープが「write」のトークンを使ってください。",
    },
};

pub(super) const SESSION_REQUIRED: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "session_required",
    category: Category::Auth,
    message: Words {
        en: "An API token may not do this.", ja: "API トークンではこの操作はできません。"
    },
    action: Words {
        en: "Sign in with a browser and do it there.", ja: "ブラウザーでログインして操作してください。"
    },
};

pub(super) const NOT_ALLOWED: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "sign_up_not_allowed",
    category: Category::Auth,
    message: Words {
        en: "This Kawaraban is not open to this address.",
        ja: "このアドレスでは、この Kawaraban を利用できません。",
    },
    action: ASK_THE_OWNER,
};

pub(super) const REGISTRATION_CLOSED: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "registration_closed",
    category: Category::Auth,
    message: Words {
        en: "Nobody can register here.", ja: "ここではアカウントの登録を受け付けていません。"
    },
    action: ASK_THE_OWNER,
};

pub(super) const LOCAL_ACCOUNTS_OFF: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "local_accounts_off",
    category: Category::Auth,
    message: Words {
        en: "There are no accounts with a password here.",
        ja: "ここではパスワードでのログインはできません。",
    },
    action: Words {
        en: "Sign in with a provider that the sign-in page offers.",
        ja: "ログイン画面にあるプロバイダーでログインしてください。",
    },
};

pub(super) const EMAIL_TAKEN: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "email_taken",
    category: Category::Auth,
    message: Words {
        en: "There is an account with this e-mail address already.",
        ja: "このメールアドレスのアカウントはすでにあります。",
    },
    action: Words {
        en: "Sign in, or use another address.", ja: "ログインするか、別のアドレスを使ってください。"
    },
};

pub(super) const EMAIL_NOT_VERIFIED: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "email_not_verified",
    category: Category::Auth,
    message: Words {
        en: "It is not certain that this e-mail address is yours.",
        ja: "このメールアドレスがご本人のものか確認できていません。",
    },
    action: Words {
        en: "Sign in with the password and link the provider in the settings, or verify the address at the provider.",
        ja: "パスワードでログインして設定で連携するか、プロバイダー側でアドレスを確認してください。",
    },
};

pub(super) const SETUP_LINK_INVALID: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "setup_link_invalid",
    category: Category::Auth,
    message: Words {
        en: "This set-up link was used, is too old or is incomplete.",
        ja: "この初期設定リンクは使用済みか、期限切れか、不完全です。",
    },
    action: Words {
        en: "Use the link that Kawaraban printed at its last start, or start it again.",
        ja: "最後の起動時に表示されたリンクを使うか、Kawaraban を再起動してください。",
    },
};

pub(super) const IDENTITY_TAKEN: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "identity_taken",
    category: Category::Auth,
    message: Words {
        en: "Another account signs in with this already.",
        ja: "このログイン方法は別のアカウントで使われています。",
    },
    action: Words {
        en: "Choose another account at the provider.",
        ja: "プロバイダーで別のアカウントを選んでください。",
    },
};

pub(super) const LAST_WAY_IN: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "last_way_in",
    category: Category::Auth,
    message: Words {
        en: "Without this nobody could sign in to the account any more.",
        ja: "これを外すと、このアカウントにログインできなくなります。",
    },
    action: Words {
        en: "Set a password or link another provider first.",
        ja: "先にパスワードを設定するか、別のプロバイダーと連携してください。",
    },
};

pub(super) const PROVIDER_UNREACHABLE: Entry = Entry {
    status: StatusCode::BAD_GATEWAY,
    code: "provider_unreachable",
    category: Category::Auth,
    message: Words { en: "The provider does not answer.", ja: "プロバイダーが応答していません。" },
    action: TRY_LATER,
};

pub(super) const PROVIDER_MISCONFIGURED: Entry = Entry {
    status: StatusCode::BAD_GATEWAY,
    code: "provider_misconfigured",
    category: Category::Auth,
    message: Words {
        en: "The provider is not set up correctly here.", ja: "プロバイダーの設定が正しくありません。"
    },
    action: Words {
        en: "Ask the operator to look at the log.", ja: "管理者にログの確認を依頼してください。"
    },
};

pub(super) const PROVIDER_FAILED: Entry = Entry {
    status: StatusCode::BAD_GATEWAY,
    code: "provider_failed",
    category: Category::Auth,
    message: Words {
        en: "The provider answered with an error.", ja: "プロバイダーがエラーを返しました。"
    },
    action: BEGIN_AGAIN,
};

pub(super) const PROVIDER_FORGED: Entry = Entry {
    status: StatusCode::BAD_GATEWAY,
    code: "provider_forged",
    category: Category::Auth,
    message: Words {
        en: "The provider's answer cannot be trusted.", ja: "プロバイダーの応答を信頼できません。"
    },
    action: Words {
        en: "Begin the sign-in again. If it happens again, tell the operator the request id.",
        ja: "もう一度ログインしてください。繰り返す場合は、リクエスト ID を管理者にお知らせください。",
    },
};

pub(super) const SIGN_IN_REFUSED: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "sign_in_refused",
    category: Category::Auth,
    message: Words {
        en: "The sign-in was declined at the provider.", ja: "プロバイダーでログインが拒否されました。"
    },
    action: BEGIN_AGAIN,
};

pub(super) const SIGN_IN_EXPIRED: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "sign_in_expired",
    category: Category::Auth,
    message: Words { en: "The sign-in took too long.", ja: "ログインに時間がかかりすぎました。" },
    action: BEGIN_AGAIN,
};

pub(super) const SIGN_IN_MISMATCH: Entry = Entry {
    status: StatusCode::FORBIDDEN,
    code: "sign_in_mismatch",
    category: Category::Auth,
    message: Words {
        en: "This browser did not begin this sign-in.",
        ja: "このブラウザーで始めたログインではありません。",
    },
    action: BEGIN_AGAIN,
};
