//! SQL built from fragments: templates with holes, and lists of columns.

use std::{borrow::Cow, fmt::Write as _};

/// The text of a statement, built only from `&'static str` fragments and placeholders, so that it cannot contain a value.
#[derive(Debug, Clone)]
pub(crate) struct Sql(Cow<'static, str>);

impl From<&'static str> for Sql {
    fn from(text: &'static str) -> Sql {
        Sql(Cow::Borrowed(text))
    }
}

impl Sql {
    /// Concatenates the templates and replaces each hole `{name}` with the fragment of that name.
    pub fn fill(templates: &[&'static str], fragments: &[(&'static str, &'static str)]) -> Sql {
        let mut text = String::with_capacity(2 * templates.iter().map(|template| template.len()).sum::<usize>());
        for template in templates {
            let mut rest = *template;
            while let Some((before, (name, after))) =
                rest.split_once('{').and_then(|(before, hole)| Some((before, hole.split_once('}')?)))
            {
                text.push_str(before);
                match fragments.iter().find(|fragment| fragment.0 == name) {
                    Some((_, fragment)) => text.push_str(fragment),
                    // For `with`. A hole that stays makes the statement fail.
                    None => text.extend(["{", name, "}"]),
                }
                rest = after;
            }
            text.push_str(rest);
        }
        Sql(Cow::Owned(text))
    }

    /// Replaces the hole `{name}` with `list`.
    pub fn with(self, name: &'static str, list: &Sql) -> Sql {
        Sql(Cow::Owned(self.0.replacen(&format!("{{{name}}}"), &list.0, 1)))
    }

    /// `items` separated by commas, each with `prefix`.
    pub fn list(prefix: &'static str, items: impl IntoIterator<Item = &'static str>) -> Sql {
        let mut text = String::new();
        for item in items {
            text.push_str(if text.is_empty() { "" } else { ", " });
            text.push_str(prefix);
            text.push_str(item);
        }
        Sql(Cow::Owned(text))
    }

    /// `($1,$2),($3,$4)` for two rows of two columns. Without numbers on SQLite, where a search for each number is slow.
    pub fn placeholders(rows: usize, columns: usize, is_numbered: bool) -> Sql {
        let mut text = String::with_capacity(rows * (columns * 6 + 3));
        for row in 0..rows {
            text.push_str(if row == 0 { "(" } else { ",(" });
            for column in 0..columns {
                text.push_str(if column == 0 { "" } else { "," });
                if is_numbered {
                    // Writing to a String cannot fail.
                    let _ = write!(text, "${}", row * columns + column + 1);
                } else {
                    text.push('?');
                }
            }
            text.push(')');
        }
        Sql(Cow::Owned(text))
    }

    /// `cast($1 as text[]), cast($2 as bigint[])`: the arrays for PostgreSQL's `unnest`.
    pub fn arrays(types: impl IntoIterator<Item = &'static str>) -> Sql {
        let mut text = String::new();
        for (number, of_type) in types.into_iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}cast(${} as {of_type}[])", number + 1);
        }
        Sql(Cow::Owned(text))
    }

    /// `a = $2, b = $3`, starting with the placeholder `first`.
    pub fn assignments(names: impl IntoIterator<Item = &'static str>, first: usize) -> Sql {
        let mut text = String::new();
        for (number, name) in names.into_iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}{name} = ${}", number + first);
        }
        Sql(Cow::Owned(text))
    }

    pub fn into_text(self) -> Cow<'static, str> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Sql;

    fn check(sql: Sql, expected: &str) {
        assert_eq!(sql.into_text(), expected);
    }

    #[test]
    fn fragments_fill_holes() {
        let fragments = [("table", "items x"), ("id", "x.id")];
        check(Sql::fill(&["select {id} from {table}"], &fragments), "select x.id from items x");
        check(Sql::fill(&["select k from (", "select {id}", ") as k"], &fragments), "select k from (select x.id) as k");
        check(Sql::fill(&["select {later}"], &fragments), "select {later}");
        check(Sql::from("insert {columns}").with("columns", &Sql::list("o.", ["a", "b"])), "insert o.a, o.b");
    }

    #[test]
    fn placeholders_are_numbered_across_rows() {
        check(Sql::placeholders(2, 3, true), "($1,$2,$3),($4,$5,$6)");
        check(Sql::placeholders(1, 1, true), "($1)");
        check(Sql::placeholders(2, 3, false), "(?,?,?),(?,?,?)");
        check(Sql::arrays(["uuid", "text"]), "cast($1 as uuid[]), cast($2 as text[])");
        check(Sql::assignments(["a", "b"], 2), "a = $2, b = $3");
    }
}
