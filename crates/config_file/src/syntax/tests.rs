//! The message for each common mistake in the syntax.

use crate::ConfigFile;

fn check(text: &str, expected: &str) {
    assert_eq!(ConfigFile::parse(text).unwrap_err().to_string(), expected, "{text}");
}

#[test]
fn text_without_quotes() {
    check("[[blogs]]\nid = my-blog\n", "line 2, column 6: text needs quotes: write id = \"…\"");
    check("[[blogs]]\r\nurl = https://example.com/\r\n", "line 2, column 7: text needs quotes: write url = \"…\"");
    check("[[blogs]]\ninterval = 30m", "line 2, column 12: text needs quotes: write interval = \"…\"");
    check("[[blogs]]\ninclude = [*]", "line 2, column 12: text needs quotes: write \"…\"");
    check("[[blogs]]\ninclude = [\n  a,\n]", "line 3, column 3: text needs quotes: write \"…\"");
    check("id = “a”", "line 1, column 6: these quotes are not the straight ones: write id = \"…\"");
    check("id = 「a」", "line 1, column 6: these quotes are not the straight ones: write id = \"…\"");
    check("id = True", "line 1, column 6: write true or false in lower case, or put text in quotes");
}

#[test]
fn missing_values() {
    let expected = "line 2, column 5: `id` has no value: write id = \"…\", or remove the line";
    check("[[blogs]]\nid =", expected);
    check("[[blogs]]\nid =\nurl = \"https://example.com/\"", expected);
    check("id = # later", "line 1, column 6: `id` has no value: write id = \"…\", or remove the line");
    check("id", "line 1, column 3: this is not a key with a value: write key = \"value\"");
    check("id \"a\"", "line 1, column 4: this is not a key with a value: write key = \"value\"");
    check("my id = 1", "line 1, column 4: this is not a key with a value: write key = \"value\"");
    check("id : \"a\"", "line 1, column 4: write `=` instead of `:`");
    check("= \"a\"", "line 1, column 1: the name of the key is missing: write it before the `=`");
    check("id == \"a\"", "line 1, column 5: write one `=` between a key and its value");
}

#[test]
fn headers_of_sections() {
    let expected = |column| {
        format!(
            "line 1, column {column}: the header of a section is alone on its line, with all its brackets: \
             write [[blogs]]"
        )
    };
    for (text, column) in
        [("[[blogs]", 9), ("[[blogs", 8), ("[blogs]]", 8), ("[blogs", 7), ("[[blogs]] id = 1", 11), ("[", 2)]
    {
        check(text, &expected(column));
    }
    let list = |line| format!("line {line}, column 1: `blogs` is a list: write [[blogs]] above each entry");
    check("[blogs]\nid = \"a\"\n", &list(1));
    check("[blogs]\nid = \"a\"\n[blogs]\nid = \"b\"\n", &list(1));
    check("[[blogs]]\nid = \"a\"\n[blogs]\nid = \"b\"\n", &list(3));
    check("[blogs]\nid = \"a\"\n[[blogs]]\nid = \"b\"\n", &list(1));
    check("blogs = []\n[[blogs]]\n", "line 2, column 3: `blogs` is a list: write [[blogs]] above each entry");
}

#[test]
fn repeated_keys() {
    check(
        "[[blogs]]\nid = \"a\"\nid = \"b\"\n",
        "line 3, column 1: `id` is set twice: remove one of the two, or write [[blogs]] above the next entry",
    );
    check("a = 1\na = 2\n", "line 2, column 1: `a` is set twice: remove one of the two");
}

#[test]
fn quotes_signs_and_comments() {
    let no_end = "the text has no end: write a quote after it";
    check("id = \"a\n", &format!("line 1, column 8: {no_end}"));
    check("id = 'a\n", &format!("line 1, column 8: {no_end}"));
    check("id = \"\"\"a\n", &format!("line 2, column 1: {no_end}"));
    let inside = "the text ends at the quote before: write \\\" for a quote in a text, with \" around the text";
    check("name = \"a\"b\"", &format!("line 1, column 11: {inside}"));
    check("name = 'it's'", &format!("line 1, column 12: {inside}"));
    let escape = "a `\\` in text has a meaning of its own: write `\\\\`, or put the text in single quotes";
    check("name = \"あ\\d\"", &format!("line 1, column 11: {escape}"));
    check("id = \"a\",", "line 1, column 9: remove the `,`: a line ends without a sign");
    check("id = \"a\" ;", "line 1, column 10: remove the `;`: a line ends without a sign");
    let rest = "the line has something after the value: write each key on a line of its own, and # before a comment";
    check("id = \"a\" name = \"b\"", &format!("line 1, column 10: {rest}"));
    let comment = "a comment starts with #: write # at the start of the line";
    check("// a comment", &format!("line 1, column 4: {comment}"));
    check("  ; comment", &format!("line 1, column 5: {comment}"));
    let name = "this is not the name of a key: names have a-z, 0-9, - and _, without quotes around them";
    check("名前 = 1", &format!("line 1, column 1: {name}"));
    check("“a” = 1", &format!("line 1, column 1: {name}"));
}

#[test]
fn lists_and_tables() {
    let comma = "a comma is missing: write one between the entries of a list";
    check("include = [\"a\" \"b\"]", &format!("line 1, column 16: {comma}"));
    check("include = [\n  [\"a\" \"b\"]]", &format!("line 2, column 8: {comma}"));
    check("include = [\"a\",\n", "line 1, column 16: the list has no end: write `]` after its last entry");
    check("a = {b = 1", "line 1, column 11: the table has no end: write `}` after its last entry");
    let deep = "the file nests too deeply: write simple values";
    check(&format!("a = {}", "[".repeat(1_000)), &format!("line 1, column 85: {deep}"));
    check(&format!("{}a = 1", "a.".repeat(1_000)), &format!("line 1, column 1: {deep}"));
}

#[test]
fn other_errors_keep_the_words_of_the_parser() {
    let words = "the syntax is not valid TOML (unexpected leading zero, expected nothing): write key = \"value\"";
    check("a = 01", &format!("line 1, column 5: {words}"));
}

#[test]
fn a_value_is_never_quoted() {
    for text in ["key = sk-secret", "key = \"sk-secret", "key = \"x\"sk-secret", "key = [sk-secret]", "key: sk-secret"]
    {
        let message = ConfigFile::parse(text).unwrap_err().to_string();
        assert!(!message.contains("secret"), "{message}");
    }
}

#[test]
fn tabs_and_windows_line_ends_are_fine() {
    let text = "\u{feff}[[blogs]]\r\n\tid\t=\t\"a\"\r\n\turl = \"https://example.com/\"\t# comment\r\n";
    assert_eq!(ConfigFile::parse(text).unwrap().blogs[0].id, "a");
    // A byte order mark is not counted.
    check("\u{feff}id = a", "line 1, column 6: text needs quotes: write id = \"…\"");
}
