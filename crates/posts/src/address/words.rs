//! Words in addresses. They are hints: what the page shows counts more.

/// Parts of a path that lists of posts are below.
pub(super) const LISTINGS: &[&str] = &[
    "tag",
    "tags",
    "category",
    "categories",
    "cat",
    "author",
    "authors",
    "label",
    "labels",
    "topic",
    "topics",
    "keyword",
    "keywords",
    "users",
    "genre",
    "theme",
    "archive-category",
    "hashtag",
    "search",
];

/// Parameters of lists.
pub(super) const LISTING_PARAMETERS: &[&str] = &[
    "tag",
    "cat",
    "category",
    "page",
    "paged",
    "author",
    "s",
    "q",
    "sort",
    "order",
    "label",
    "replytocom",
    "share",
    "lang",
];

/// Pages that most sites have.
pub(super) const FIXED: &[&str] = &[
    "about",
    "about-me",
    "about-us",
    "aboutus",
    "access",
    "account",
    "archive",
    "archives",
    "article",
    "articles",
    "blog",
    "book",
    "books",
    "bookmarks",
    "careers",
    "cart",
    "changelog",
    "colophon",
    "community",
    "company",
    "contact",
    "contact-us",
    "contacts",
    "cookies",
    "cv",
    "diary",
    "docs",
    "documentation",
    "donate",
    "download",
    "downloads",
    "events",
    "faq",
    "features",
    "feed",
    "feeds",
    "friend",
    "friends",
    "gallery",
    "guestbook",
    "help",
    "home",
    "impressum",
    "imprint",
    "inquiry",
    "legal",
    "license",
    "link",
    "links",
    "login",
    "logout",
    "me",
    "members",
    "menu",
    "message",
    "movies",
    "music",
    "news",
    "newsletter",
    "now",
    "photos",
    "podcast",
    "portfolio",
    "post",
    "posts",
    "press",
    "pricing",
    "privacy",
    "privacy-policy",
    "products",
    "profile",
    "project",
    "projects",
    "publications",
    "recruit",
    "register",
    "resources",
    "resume",
    "rss",
    "schedule",
    "series",
    "services",
    "shop",
    "shuoshuo",
    "signin",
    "signup",
    "sitemap",
    "sponsors",
    "start",
    "stories",
    "subscribe",
    "support",
    "talks",
    "team",
    "terms",
    "terms-of-service",
    "tools",
    "top",
    "uses",
    "videos",
    "weblog",
    "works",
    "writing",
];

/// Folders with posts in them.
pub(super) const POSTS: &[&str] = &[
    "archive", "archives", "article", "articles", "blog", "blogs", "diary", "entries", "entry", "essays", "journal",
    "magazine", "n", "news", "note", "notes", "p", "post", "posts", "press", "release", "releases", "stories", "story",
    "topics", "updates", "weblog", "writing", "writings",
];

/// Endings of pages. Others are files.
pub(super) fn is_page(ending: &str) -> bool {
    matches!(
        ending,
        "" | "html" | "htm" | "xhtml" | "shtml" | "php" | "asp" | "aspx" | "jsp" | "cgi" | "do" | "md" | "cfm"
    ) || !FILES.contains(&ending)
}

const FILES: &[&str] = &[
    "jpg", "jpeg", "png", "gif", "webp", "svg", "ico", "bmp", "avif", "css", "js", "json", "xml", "rss", "atom", "rdf",
    "zip", "gz", "tar", "rar", "7z", "exe", "dmg", "apk", "mp3", "mp4", "m4a", "ogg", "wav", "avi", "mov", "webm",
    "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "txt", "csv", "epub", "ics", "torrent", "woff", "woff2", "map",
    "asc", "bib",
];

/// `page2`, `page-3`.
pub(super) fn is_numbered_page(segment: &str) -> bool {
    let rest = segment.strip_prefix("page").map(|rest| rest.trim_start_matches(['-', '_']));
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The languages that sites are often translated into.
pub(super) const LANGUAGES: &[&str] = &[
    "ar", "bg", "ca", "cn", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu", "id",
    "it", "ja", "jp", "ko", "kr", "lt", "lv", "nb", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "th",
    "tr", "uk", "vi", "zh",
];
