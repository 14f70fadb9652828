//! No global state: configuration, clock and random source are passed in. Clippy rejects `thread_local!`, and rustc the unsafe
//! code that a `static mut` needs.

use syn::{
    ItemStatic, Path,
    visit::{self, Visit},
};

use crate::{
    Breach, assert_kept,
    layers::TESTKIT,
    places,
    tree::{self, SourceFile},
};

/// The allowed globals, as `path NAME`. This list only shrinks.
const ALLOWED: &[&str] = &[];

/// Types with interior mutability.
const CHANGING: &[&str] = &[
    "Mutex",
    "RwLock",
    "Cell",
    "RefCell",
    "UnsafeCell",
    "OnceCell",
    "OnceLock",
    "LazyCell",
    "LazyLock",
    "Lazy",
    "Once",
];

struct Globals<'a> {
    path: &'a str,
    found: Vec<String>,
}

impl Visit<'_> for Globals<'_> {
    fn visit_item_static(&mut self, item: &ItemStatic) {
        let mut changing = Changing(false);
        changing.visit_type(&item.ty);
        if changing.0 {
            self.found.push(format!("{} {}", self.path, item.ident));
        }
        visit::visit_item_static(self, item);
    }
}

struct Changing(bool);

impl Visit<'_> for Changing {
    fn visit_path(&mut self, path: &Path) {
        let changes = |name: &str| CHANGING.contains(&name) || name.starts_with("Atomic");
        self.0 |= path.segments.last().is_some_and(|segment| changes(&segment.ident.to_string()));
        visit::visit_path(self, path);
    }
}

fn globals(file: &SourceFile) -> Result<Vec<String>, Breach> {
    if file.krate() == TESTKIT {
        return Ok(Vec::new());
    }
    let mut globals = Globals { path: &file.path, found: Vec::new() };
    file.items_without_tests()?.iter().for_each(|item| globals.visit_item(item));
    Ok(globals.found)
}

fn not_allowed(found: &[String], allowed: &[&str]) -> Vec<Breach> {
    let new = found
        .iter()
        .filter(|global| !allowed.contains(&global.as_str()))
        .map(|global| Breach::new(global, "no global state: make it in the binary and pass it in"));
    let stale = allowed
        .iter()
        .filter(|global| !found.iter().any(|found| found == *global))
        .map(|global| Breach::new(*global, "is gone: remove it from ALLOWED"));
    new.chain(stale).collect()
}

#[test]
fn there_is_no_global_state() {
    let (mut all, mut breaches) = (Vec::new(), Vec::new());
    for file in tree::rust_files() {
        match globals(&file) {
            Ok(found) => all.extend(found),
            Err(breach) => breaches.push(breach),
        }
    }
    breaches.extend(not_allowed(&all, ALLOWED));
    assert_kept(&breaches);
}

#[test]
fn globals_that_change_are_seen() {
    let text = "static NAMES: &[&str] = &[];
        static A: AtomicUsize = AtomicUsize::new(0);
        static B: std::sync::OnceLock<String> = std::sync::OnceLock::new();
        fn f() { static C: [Mutex<u8>; 1] = [Mutex::new(0)]; }
        #[global_allocator] static ALLOCATOR: MiMalloc = MiMalloc;
        #[cfg(test)] mod tests { static D: Mutex<u8> = Mutex::new(0); }";
    let found = globals(&SourceFile::new("x.rs", text)).unwrap();
    assert_eq!(found, ["x.rs A", "x.rs B", "x.rs C"]);
    assert_eq!(places(&not_allowed(&found, &["x.rs A", "x.rs B", "x.rs Z"])), ["x.rs C", "x.rs Z"]);
}
