//! The table of errors that reading has.

use http::StatusCode;

use super::{Category, words::Entry};
use crate::Words;

pub(super) const ALREADY_SUBSCRIBED: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "already_subscribed",
    category: Category::Feed,
    message: Words { en: "You already read this feed.", ja: "このフィードはすでに購読しています。" },
    action: Words { en: "Open it in the list.", ja: "一覧から開いてください。" },
};

pub(super) const SUBSCRIPTION_LIMIT: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "subscription_limit",
    category: Category::Feed,
    message: Words {
        en: "You read {n} feeds, which is as many as you may.",
        ja: "購読できるフィードは {n} 件までです。",
    },
    action: Words {
        en: "Unsubscribe from a feed that you no longer read.",
        ja: "読んでいないフィードの購読を解除してください。",
    },
};

pub(super) const FOLDER_LIMIT: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "folder_limit",
    category: Category::Validation,
    message: Words {
        en: "You have {n} folders, which is as many as you may.",
        ja: "作れるフォルダーは {n} 個までです。",
    },
    action: Words {
        en: "Delete a folder that you do not need.", ja: "使っていないフォルダーを削除してください。"
    },
};

pub(super) const NAME_TAKEN: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "name_taken",
    category: Category::Validation,
    message: Words { en: "This name is taken.", ja: "この名前はすでに使われています。" },
    action: Words { en: "Choose another name.", ja: "別の名前にしてください。" },
};

pub(super) const NOT_STOPPED: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "not_stopped",
    category: Category::Feed,
    message: Words { en: "This feed is not stopped.", ja: "このフィードは停止していません。" },
    action: Words { en: "There is nothing to resume.", ja: "再開する必要はありません。" },
};

pub(super) const FEED_STOPPED: Entry = Entry {
    status: StatusCode::CONFLICT,
    code: "feed_stopped",
    category: Category::Feed,
    message: Words { en: "This feed is stopped.", ja: "このフィードは停止しています。" },
    action: Words { en: "Resume it first.", ja: "先に再開してください。" },
};

pub(super) const UNDO_EXPIRED: Entry = Entry {
    status: StatusCode::NOT_FOUND,
    code: "undo_expired",
    category: Category::Validation,
    message: Words { en: "This can no longer be undone.", ja: "この操作はもう元に戻せません。" },
    action: Words {
        en: "Mark the items one by one; undoing works once, for ten minutes.",
        ja: "記事を個別に変更してください。元に戻せるのは 10 分以内に一度だけです。",
    },
};

pub(super) const FEED_NOT_FOUND: Entry = Entry {
    status: StatusCode::UNPROCESSABLE_ENTITY,
    code: "feed_not_found",
    category: Category::Feed,
    message: Words {
        en: "No feed was found at this address.", ja: "このアドレスにフィードは見つかりませんでした。"
    },
    action: Words {
        en: "Look on the site for a link to its feed (RSS, Atom), and use that address.",
        ja: "サイトでフィード (RSS、Atom) へのリンクを探し、そのアドレスを入力してください。",
    },
};

pub(super) const CANDIDATES_FAILED: Entry = Entry {
    message: Words {
        en: "This page names feeds, but none of them could be read.",
        ja: "このページが示すフィードは、どれも読み取れませんでした。",
    },
    action: Words {
        en: "Choose one of them to try it again, or look on the site for another link to its feed (RSS, Atom).",
        ja: "候補から選んでもう一度試すか、サイトで別のフィード (RSS、Atom) へのリンクを探してください。",
    },
    ..FEED_NOT_FOUND
};

pub(super) const OPML_EXPECTED: Entry = Entry {
    status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
    code: "unsupported_media_type",
    category: Category::Validation,
    message: Words {
        en: "What was sent is not marked as an OPML file.",
        ja: "送信されたデータは OPML ファイルとして扱えません。",
    },
    action: Words {
        en: "Send the file itself with \"Content-Type: text/x-opml\" or \"text/xml\".",
        ja: "「Content-Type: text/x-opml」または「text/xml」を付けて、ファイルそのものを送信してください。",
    },
};
