//! The width of texts, and texts that say nothing.

use unicode_width::UnicodeWidthStr;

/// The columns of a text: letters of Japanese and Chinese have two.
pub(crate) fn width(text: &str) -> usize {
    text.trim().width()
}

const MORE: &[&str] = &[
    "read more",
    "readmore",
    "more",
    "continue reading",
    "continue",
    "continue →",
    "read on",
    "read the full",
    "read full",
    "full story",
    "view post",
    "read post",
    "read article",
    "read this",
    "view article",
    "learn more",
    "details",
    "keep reading",
    "read the rest",
    "続きを読む",
    "続きをみる",
    "続きを見る",
    "つづきを読む",
    "もっと見る",
    "もっと読む",
    "詳細",
    "詳しく",
    "詳細を見る",
    "記事を読む",
    "全文を読む",
    "阅读全文",
    "閱讀全文",
    "阅读更多",
    "繼續閱讀",
    "继续阅读",
    "查看全文",
    "閱讀更多",
    "더 보기",
    "더보기",
    "계속 읽기",
    "자세히",
    "weiterlesen",
    "mehr lesen",
    "mehr",
    "lire la suite",
    "lire plus",
    "en savoir plus",
    "leer más",
    "leer mas",
    "seguir leyendo",
    "continuar leyendo",
    "ler mais",
    "leia mais",
    "continue lendo",
    "continue a ler",
    "читать далее",
    "читать дальше",
    "подробнее",
    "leggi tutto",
    "continua a leggere",
    "lees verder",
    "lees meer",
    "czytaj dalej",
    "czytaj więcej",
    "läs mer",
    "devamını oku",
    "číst dál",
    "číst více",
    "comments",
    "comment",
    "permalink",
    "コメント",
    "评论",
    "link",
    "discuss",
];

/// Whether a text invites to read on and names no post.
pub(crate) fn is_more(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    if bare.is_empty() {
        return true;
    }
    let is_count = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c.is_whitespace());
    MORE.iter().any(|known| {
        bare == *known
            || bare.strip_suffix(known).is_some_and(is_count)
            || bare.strip_prefix(known).is_some_and(|rest| {
                is_count(rest) || known.len() > 8 && rest.starts_with([' ', ':', '“', '"', '：', '「'])
            })
    })
}

const PAGERS: &[&str] = &[
    "next",
    "prev",
    "previous",
    "older",
    "newer",
    "older posts",
    "newer posts",
    "next page",
    "previous page",
    "last",
    "first",
    "home",
    "archive",
    "archives",
    "view all",
    "see all",
    "all posts",
    "show all",
    "more posts",
    "view all posts",
    "see all posts",
    "view archive",
    "read all posts",
    "次へ",
    "前へ",
    "次のページ",
    "前のページ",
    "過去の記事",
    "一覧",
    "一覧を見る",
    "一覧へ",
    "記事一覧",
    "すべて見る",
    "もっと見る",
    "トップ",
    "ホーム",
    "下一页",
    "上一页",
    "下一頁",
    "上一頁",
    "다음",
    "이전",
    "全部",
    "查看全部",
    "归档",
    "首页",
];

/// Whether a text leads to another page of a list.
pub(crate) fn is_pager(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    PAGERS.contains(&bare.as_str())
        || !bare.is_empty() && bare.len() <= 4 && bare.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text shows a price.
pub(crate) fn has_price(text: &str) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut rest = text;
    while let Some(at) = rest.find(['¥', '￥', '$', '€', '£', '円', '₩']) {
        let (before, after) = rest.split_at(at);
        let mark = after.chars().next().unwrap_or(' ');
        let after = after.get(mark.len_utf8()..).unwrap_or_default();
        let is_amount = if mark == '円' {
            digit(before.chars().last())
        } else {
            digit(after.trim_start().chars().next()) || mark == '€' && digit(before.trim_end().chars().last())
        };
        if is_amount {
            return true;
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_name_no_post() {
        for text in ["Read more »", "続きを読む", "3 comments", "Read more: A title", "→", "Weiterlesen …"] {
            assert!(is_more(text), "{text}");
        }
        for text in ["More about rivers", "Linking things", "Comments on a film"] {
            assert!(!is_more(text), "{text}");
        }
        assert!(is_pager("Older posts »") && is_pager("12") && !is_pager("12 rules"));
    }

    #[test]
    fn prices() {
        assert!(has_price("¥12,800") && has_price("only $ 5") && has_price("980円") && has_price("12,00 €"));
        assert!(!has_price("in $HOME") && !has_price("一円も"));
    }
}
