//! The names of authors.

use crate::xml::{Event, InnerKind, XmlReader, XmlTag};

const MAX_AUTHORS: usize = 32;

/// The name in the author element that has just started: its `name`, text or e-mail address.
pub(super) fn read<'a>(reader: &mut XmlReader<'a>, tag: &XmlTag<'a>) -> Option<String> {
    let inner = reader.inner(tag, InnerKind::Body);
    if !inner.markup {
        return name_of(&reader.text_of(inner));
    }
    let mut inside = XmlReader::new(inner.source);
    let (mut name, mut email, mut loose) = (None, None, String::new());
    while let Some(event) = inside.next() {
        match event {
            Event::Start(tag) if matches!(&*tag.local, "name" | "title") => {
                name = name.or(Some(inside.line(&tag).into_owned())).filter(|name| !name.is_empty());
            }
            Event::Start(tag) if &*tag.local == "email" => email = Some(inside.line(&tag).into_owned()),
            Event::Start(tag) if matches!(&*tag.local, "uri" | "url" | "homepage" | "link") => inside.skip(&tag),
            Event::Text(text) => loose.push_str(&text),
            Event::Start(_) | Event::End => {}
        }
    }
    let text = name.or_else(|| Some(loose).filter(|text| !text.trim().is_empty())).or(email)?;
    name_of(&reader.entities.decode(&text))
}

/// The name in `mail (Name)`, `Name <mail>`, `Name (mail)`, `mail` or `Name`.
pub(super) fn name_of(text: &str) -> Option<String> {
    let text = super::plain_text::title(text);
    let text = text.strip_prefix("mailto:").unwrap_or(&text);
    let is_mail = |text: &str| text.contains('@') && !text.trim().contains(' ');
    for (open, close) in [('(', ')'), ('<', '>'), ('（', '）'), ('[', ']')] {
        let Some((before, rest)) = text.split_once(open) else { continue };
        let Some((inside, after)) = rest.rsplit_once(close) else { continue };
        let (before, inside) = (before.trim(), inside.trim());
        if is_mail(before) && !inside.is_empty() && after.trim().is_empty() {
            return Some(inside.to_owned());
        }
        if is_mail(inside) && !before.is_empty() {
            return Some(before.trim_matches('"').trim().to_owned());
        }
        if is_mail(inside) && before.is_empty() {
            return Some(inside.to_owned());
        }
    }
    // Some programs write `mail Name`.
    if let Some((mail, name)) = text.split_once(' ')
        && is_mail(mail)
        && !name.trim().is_empty()
    {
        return Some(name.trim().trim_start_matches("- ").to_owned());
    }
    Some(text.trim().to_owned()).filter(|name| !name.is_empty())
}

/// Adds a name unless it is there.
pub(super) fn add(names: &mut Vec<String>, name: Option<String>) {
    let Some(name) = name else { return };
    if names.len() < MAX_AUTHORS && !names.contains(&name) {
        names.push(name);
    }
}

/// Removes e-mail addresses if there are names.
pub(super) fn settle(names: &mut Vec<String>) {
    let is_mail = |name: &String| name.contains('@') && !name.contains(' ');
    if names.iter().any(|name| !is_mail(name)) {
        names.retain(|name| !is_mail(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(name_of(input).as_deref(), Some(expected), "{input}");
    }

    #[test]
    fn names_of_every_shape() {
        check("me@example.com (Example editor)", "Example editor");
        check("Taro Yamada <taro@example.jp>", "Taro Yamada");
        check("\"Taro\" <taro@example.jp>", "Taro");
        check("taro@example.jp", "taro@example.jp");
        check("taro@example.jp（山田太郎）", "山田太郎");
        check("山田 太郎", "山田 太郎");
        check("Anna (Berlin)", "Anna (Berlin)");
        check("me@example.com Example", "Example");
        check("mailto:me@example.com", "me@example.com");
        assert_eq!(name_of("  "), None);
    }
}
