//! Parses selectors.

use super::{Alternative, Condition, Selector, SelectorError, Step, Test};
use crate::dom::Tag;

const MAX_BYTES: usize = 1000;
/// The steps of an alternative are bits of a number.
const MAX_STEPS: usize = 16;
const MAX_ALTERNATIVES: usize = 20;

struct Parser<'a> {
    rest: &'a str,
}

pub(super) fn parse(text: &str) -> Result<Selector, SelectorError> {
    if text.len() > MAX_BYTES {
        return Err(SelectorError::TooLong);
    }
    let mut parser = Parser { rest: text.trim() };
    let mut alternatives = Vec::new();
    loop {
        alternatives.push(parser.alternative()?);
        if alternatives.len() > MAX_ALTERNATIVES {
            return Err(SelectorError::TooLong);
        }
        if !parser.take(',') {
            return if parser.rest.is_empty() { Ok(Selector { alternatives }) } else { Err(parser.unexpected()) };
        }
    }
}

impl Parser<'_> {
    fn alternative(&mut self) -> Result<Alternative, SelectorError> {
        let mut steps: Vec<Step> = Vec::new();
        loop {
            self.skip_spaces();
            let is_child = !steps.is_empty() && self.take('>');
            self.skip_spaces();
            let is_end = self.rest.is_empty() || self.rest.starts_with(',');
            if is_end && !is_child && !steps.is_empty() {
                return Ok(Alternative { steps });
            }
            let conditions = self.conditions()?;
            steps.push(Step { is_child, conditions });
            if steps.len() > MAX_STEPS {
                return Err(SelectorError::TooLong);
            }
        }
    }

    /// The conditions on one element.
    fn conditions(&mut self) -> Result<Vec<Condition>, SelectorError> {
        let mut conditions = Vec::new();
        let is_any = self.take('*');
        if !is_any && let Some(name) = self.name() {
            conditions.push(match Tag::named(name) {
                Tag::Other => Condition::Name(name.to_owned()),
                tag => Condition::Tag(tag),
            });
        }
        loop {
            if self.take('.') {
                conditions.push(Condition::Class(self.required_name()?));
            } else if self.take('#') {
                let value = self.required_name()?;
                conditions.push(Condition::Attribute { name: "id".to_owned(), test: Test::Equals, value });
            } else if self.take('[') {
                conditions.push(self.attribute()?);
            } else if conditions.is_empty() && !is_any {
                return Err(self.unexpected());
            } else {
                return Ok(conditions);
            }
        }
    }

    fn attribute(&mut self) -> Result<Condition, SelectorError> {
        self.skip_spaces();
        let name = self.required_name()?;
        self.skip_spaces();
        if self.take(']') {
            return Ok(Condition::Attribute { name, test: Test::Exists, value: String::new() });
        }
        let tests = [
            ("=", Test::Equals),
            ("~=", Test::HasWord),
            ("^=", Test::StartsWith),
            ("$=", Test::EndsWith),
            ("*=", Test::Contains),
        ];
        let found = tests.iter().find_map(|(sign, test)| Some((self.rest.strip_prefix(sign)?, *test)));
        let Some((rest, test)) = found else { return Err(self.unexpected()) };
        self.rest = rest;
        self.skip_spaces();
        let value = self.value()?;
        self.skip_spaces();
        if !self.take(']') {
            return Err(self.unexpected());
        }
        Ok(Condition::Attribute { name, test, value })
    }

    fn value(&mut self) -> Result<String, SelectorError> {
        for quote in ['"', '\''] {
            if self.take(quote) {
                let Some((value, rest)) = self.rest.split_once(quote) else { return Err(self.unexpected()) };
                self.rest = rest;
                return Ok(value.to_owned());
            }
        }
        self.required_name()
    }

    fn required_name(&mut self) -> Result<String, SelectorError> {
        self.name().map(str::to_owned).ok_or_else(|| self.unexpected())
    }

    fn name(&mut self) -> Option<&str> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii();
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!name.is_empty()).then_some(name)
    }

    fn take(&mut self, wanted: char) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn unexpected(&self) -> SelectorError {
        match self.rest.chars().next() {
            None => SelectorError::Empty,
            Some(_) => SelectorError::Unexpected(self.rest.chars().take(20).collect()),
        }
    }
}
