//! The message for each wrong value of a blog.

use super::*;
use crate::ConfigFile;

const VALID: &str = "[[blogs]]\nid = \"a\"\nurl = \"https://example.com/\"\n";

/// The error for a valid blog with one more line, the fourth.
fn check_line(line: &str, expected: &str) {
    check(&format!("{VALID}{line}\n"), &format!("line 4, column {expected}"));
}

fn check(text: &str, expected: &str) {
    assert_eq!(ConfigFile::parse(text).unwrap_err().to_string(), expected, "{text}");
}

#[test]
fn all_keys_are_read() {
    let text = "[[blogs]]\nid = \"a.b-c_1\"\nurl = \"HTTPS://Example.com/blog\"\nname = \" 瓦版 \"\n\
                interval = \"90m\"\nkind = \"sitemap\"\ninclude = [\"*/a/*\", \"*/b/*\"]\nexclude = [\"*/c/*\"]\n\
                rediscover = \"90d\"\n";
    let blog = Blog {
        id: "a.b-c_1".to_owned(),
        url: Url::parse("https://example.com/blog").unwrap(),
        name: Some("瓦版".to_owned()),
        interval: Some(Duration::from_secs(90 * 60)),
        kind: BlogKind::Sitemap,
        include: ["*/a/*", "*/b/*"].map(|text| UrlPattern::parse(text).unwrap()).to_vec(),
        exclude: vec![UrlPattern::parse("*/c/*").unwrap()],
        rediscover: Some(DAY * 90),
    };
    assert_eq!(ConfigFile::parse(text).unwrap().blogs, [blog]);
}

#[test]
fn only_id_and_url_are_required() {
    let [blog] = ConfigFile::parse(VALID).unwrap().blogs.try_into().unwrap();
    assert_eq!((blog.kind, blog.name, blog.interval, blog.rediscover), (BlogKind::Auto, None, None, None));
    assert!(blog.include.is_empty() && blog.exclude.is_empty());
    check(
        "# comment\n\n  [[blogs]]\nname = \"A\"\n",
        "line 3, column 3: `id` is missing: write id = \"example-blog\"\n\
         line 3, column 3: `url` is missing: write url = \"https://example.com/blog/\"",
    );
}

#[test]
fn unknown_keys_get_a_suggestion() {
    check_line("intervall = \"6h\"", "1: `intervall` is not a key of [[blogs]]: did you mean `interval`?");
    check_line("URL = \"x\"", "1: `URL` is not a key of [[blogs]]: did you mean `url`?");
    check_line(
        "colour = 1",
        "1: `colour` is not a key of [[blogs]]: \
         its keys are id, url, name, interval, kind, include, exclude, rediscover",
    );
    check_line("[blogs.inclde]", "8: `inclde` is not a key of [[blogs]]: did you mean `include`?");
}

#[test]
fn all_problems_are_reported_together() {
    check(
        "[[blogs]]\nid = 1\nurl = \"example.com\"\nkind = \"rss\"\n\n\
         [[blogs]]\nid = \"b\"\ninclude = [\"/b\", 2]\nnam = \"B\"\n[x]\n",
        "line 2, column 6: `id` cannot be a number: write id = \"example-blog\"\n\
         line 3, column 7: `url` cannot be \"example.com\": write \"https://example.com\"\n\
         line 4, column 8: `kind` cannot be \"rss\": write \"auto\", \"feed\", \"sitemap\" or \"page\"\n\
         line 6, column 1: `url` is missing: write url = \"https://example.com/blog/\"\n\
         line 8, column 12: `include` cannot be \"/b\": a pattern covers the whole address: write \"*/b\", \
         or start with https://\n\
         line 8, column 18: `include` cannot be a number: write text in quotes, such as \"*/news/*\"\n\
         line 9, column 1: `nam` is not a key of [[blogs]]: did you mean `name`?\n\
         line 10, column 2: `x` is not a section: the file may contain [[blogs]]",
    );
}

#[test]
fn wrong_types_are_named() {
    let interval = "write a duration from 30m to 7d, such as \"6h\"";
    check_line("interval = 30", &format!("12: `interval` cannot be a number: {interval}"));
    check_line("interval = 1.5", &format!("12: `interval` cannot be a number: {interval}"));
    check_line("interval = true", &format!("12: `interval` cannot be true or false: {interval}"));
    check_line("interval = 07:32:00", &format!("12: `interval` cannot be a date or time: {interval}"));
    check_line("interval = []", &format!("12: `interval` cannot be a list: {interval}"));
    check_line("interval = {}", &format!("12: `interval` cannot be a table: {interval}"));
    check_line(
        "rediscover = 7",
        "14: `rediscover` cannot be a number: write a duration from 1d to 90d, such as \"14d\"",
    );
    check_line("name = 1", "8: `name` cannot be a number: write name = \"Example Blog\"");
    check_line("kind = 1", "8: `kind` cannot be a number: write \"auto\", \"feed\", \"sitemap\" or \"page\"");
    check_line("include = \"*\"", "11: `include` cannot be text: write a list in [ ], such as [\"*/news/*\"]");
    check("blogs = 1", "line 1, column 9: `blogs` is a list: write [[blogs]] above each entry");
    check(
        "blogs = [\"https://example.com/\"]",
        "line 1, column 10: an entry of `blogs` cannot be text: write [[blogs]] and its keys below",
    );
}

#[test]
fn ids_are_names() {
    let check_id = |id: &str, expected: &str| {
        let text = format!("[[blogs]]\nid = \"{id}\"\nurl = \"https://example.com/\"");
        check(&text, &format!("line 2, column 6: `id` cannot be {expected}"));
    };
    let how = "write lower-case letters, digits, -, _ and ., with a letter or digit first, such as";
    for (id, example) in [
        ("My Blog", "my-blog"),
        ("-a", "a"),
        ("..", "example-blog"),
        ("", "example-blog"),
        ("瓦版", "example-blog"),
        ("a/b", "a-b"),
    ] {
        check_id(id, &format!("\"{id}\": {how} \"{example}\""));
    }
    check_id("me@example.com", &format!("\"…\": {how} \"example-blog\""));
    let long = "a".repeat(65);
    check_id(&long, &format!("\"{}…\": write at most 64 characters", "a".repeat(60)));
    assert!(ConfigFile::parse(&VALID.replace("\"a\"", &format!("\"{}\"", "a".repeat(64)))).is_ok());
    let uuid = "ids of this form are those of users' own sites: write a name, such as \"example-blog\"";
    for id in ["0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "0190a1b2c3d47e5f8a9b0c1d2e3f4a5b"] {
        check_id(id, &format!("\"{id}\": {uuid}"));
    }
}

#[test]
fn a_repeated_id_or_address_names_the_first() {
    let other_url = VALID.replace("https://", "https://other.");
    check(
        &format!("{VALID}\n{other_url}"),
        "line 6, column 6: the id \"a\" is used in line 2 already: write another one",
    );
    let other_id = VALID.replace("\"a\"", "\"b\"");
    check(
        &format!("{VALID}\n{other_id}"),
        "line 5, column 1: the blog in line 1 has the same address: remove one of them",
    );
}

#[test]
fn addresses_are_whole_and_public() {
    let check_url = |url: &str, expected: &str| {
        let text = format!("[[blogs]]\nid = \"a\"\nurl = \"{url}\"");
        check(&text, &format!("line 3, column 7: `url` cannot be {expected}"));
    };
    let whole = "write a whole address, such as \"https://example.com/blog/\"";
    check_url("", &format!("\"\": {whole}"));
    check_url("blog", &format!("\"blog\": {whole}"));
    check_url("https://", &format!("\"https://\": {whole}"));
    check_url("/blog/", &format!("\"/blog/\": {whole}"));
    check_url("mailto:me@example.com", &format!("\"…\": {whole}"));
    check_url("example.com/blog", "\"example.com/blog\": write \"https://example.com/blog\"");
    check_url("example.com:8080", "\"example.com:8080\": write \"https://example.com:8080\"");
    check_url("ftp://example.com", "\"ftp://example.com\": write an address that starts with https:// or http://");
    check_url("https://me:secret@example.com/", "\"…\": write the address without a user name and password");
    check_url("https://me@example.com/", "\"…\": write the address without a user name and password");
    check_url("https://example.com/a b", "\"https://example.com/a b\": write the address without spaces");
    check_url("https://example.com/a\\tb", "\"https://example.com/a\u{fffd}b\": write the address without spaces");
    let long = format!("https://example.com/{}", "a".repeat(1_981));
    let shown = format!("\"https://example.com/{}…\"", "a".repeat(40));
    check_url(&long, &format!("{shown}: write an address of at most 2000 characters"));
}

#[test]
fn names_are_short_and_on_one_line() {
    let how = "write text on one line, such as name = \"Example Blog\"";
    check_line("name = \" \"", &format!("8: `name` cannot be \" \": {how}"));
    check_line("name = \"a\\nb\"", &format!("8: `name` cannot be \"a\u{fffd}b\": {how}"));
    let expected = format!("8: `name` cannot be \"{}…\": write at most 200 characters", "あ".repeat(60));
    check_line(&format!("name = \"{}\"", "あ".repeat(201)), &expected);
}

#[test]
fn durations_have_limits() {
    let interval = "write a duration from 30m to 7d, such as \"6h\"";
    for text in ["29m", "8d", "169h", "often", "6 hours"] {
        check_line(&format!("interval = \"{text}\""), &format!("12: `interval` cannot be \"{text}\": {interval}"));
    }
    for text in ["30m", "1800s", "168h", "7d"] {
        assert!(ConfigFile::parse(&format!("{VALID}interval = \"{text}\"")).is_ok(), "{text}");
    }
    let rediscover = "write a duration from 1d to 90d, such as \"14d\"";
    for text in ["23h", "91d", "never"] {
        check_line(
            &format!("rediscover = \"{text}\""),
            &format!("14: `rediscover` cannot be \"{text}\": {rediscover}"),
        );
    }
}

#[test]
fn the_number_of_blogs_is_limited() {
    let entry = |number: usize| format!("[[blogs]]\nid=\"{number}\"\nurl=\"http://{number}.jp\"\n");
    let mut text: String = (0..MAX_BLOGS).map(entry).collect();
    assert_eq!(ConfigFile::parse(&text).unwrap().blogs.len(), MAX_BLOGS);
    text += &entry(MAX_BLOGS);
    text += &entry(MAX_BLOGS + 1);
    check(&text, "line 60001, column 1: there are 20002 blogs: remove all but 20000");
}
