//! What the reader refuses, as errors of the API.

use read::Refusal;

use crate::{ApiError, Words};

const BAD_NAME: Words = Words {
    en: "Give it a name of 1 to 100 characters.",
    ja: "名前は 1 文字から 100 文字で指定してください。",
};
const BAD_INTERVAL: Words = Words {
    en: "Choose 30 to 720 minutes, in steps of 30.",
    ja: "30 分から 720 分まで、30 分単位で指定してください。",
};
const BAD_TITLE: Words =
    Words { en: "A title has at most 500 characters.", ja: "タイトルは 500 文字までです。" };
const NO_SUCH_FOLDER: Words = Words {
    en: "Choose one of your folders, or null for none.",
    ja: "自分のフォルダーを選ぶか、なしの場合は null を指定してください。",
};

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotFound => ApiError::NotFound,
            Refusal::NoSuchFolder => ApiError::invalid("folder_id", NO_SUCH_FOLDER),
            Refusal::BadName => ApiError::invalid("name", BAD_NAME),
            Refusal::NameTaken => ApiError::NameTaken,
            Refusal::TooManyFolders(most) => ApiError::FolderLimit(most),
            Refusal::BadInterval => ApiError::invalid("fetch_interval_minutes", BAD_INTERVAL),
            Refusal::BadTitle => ApiError::invalid("title", BAD_TITLE),
            Refusal::NotStopped => ApiError::NotStopped,
            Refusal::NothingToUndo => ApiError::UndoExpired,
            Refusal::Store(error) => error.into(),
        }
    }
}
