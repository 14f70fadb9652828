//! Which posts of a site are wanted: by words in their titles, and by patterns of their addresses.

use config_file::Blog;
use store::watch::BlogState;

use crate::site_post::SitePost;

/// The words and patterns of a site.
#[derive(Debug, Default)]
pub(crate) struct Filter<'a> {
    include: Vec<String>,
    exclude: Vec<String>,
    blog: Option<&'a Blog>,
}

impl<'a> Filter<'a> {
    pub fn of(state: Option<&BlogState>, blog: Option<&'a Blog>) -> Filter<'a> {
        let words = |json: &str| {
            let words: Vec<String> = serde_json::from_str(json).unwrap_or_default();
            words.iter().map(|word| word.to_lowercase()).collect()
        };
        let (include, exclude) =
            state.map_or_else(Default::default, |state| (words(&state.include_words), words(&state.exclude_words)));
        Filter { include, exclude, blog }
    }

    /// Whether the post becomes an item.
    pub fn wants(&self, post: &SitePost) -> bool {
        let title = post.title.to_lowercase();
        let has_one = |words: &[String]| words.iter().any(|word| title.contains(word));
        let (include, exclude) = self.blog.map_or((&[][..], &[][..]), |blog| (&blog.include[..], &blog.exclude[..]));
        (self.include.is_empty() || has_one(&self.include))
            && !has_one(&self.exclude)
            && (include.is_empty() || include.iter().any(|pattern| pattern.matches(&post.url)))
            && !exclude.iter().any(|pattern| pattern.matches(&post.url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_choose_posts_by_their_titles() {
        let post = |title: &str| SitePost {
            url: "https://e.example/a".parse().unwrap(),
            title: title.to_owned(),
            published_at: None,
        };
        let filter = Filter { include: vec!["rust".to_owned()], exclude: vec!["求人".to_owned()], blog: None };
        assert!(filter.wants(&post("Rust 2.0 is out")));
        assert!(!filter.wants(&post("Go is out")) && !filter.wants(&post("Rust の求人")));
        assert!(Filter::default().wants(&post("")));
    }
}
