//! Watch, with a real origin and both databases.
