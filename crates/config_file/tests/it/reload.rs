//! Reading the file again, when it is asked for and when it changes. Time is tokio's and passes at once.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    time::Duration,
};

use config_file::ConfigSource;
use tempfile::TempDir;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::log_lines::LogLines;

const BAD: &str = "[[blogs]]\nid = \"a\"\nintervall = \"6h\"\n";
const PROBLEMS: &str = "line 1, column 1: `url` is missing: write url = \"https://example.com/blog/\"\n\
                        line 3, column 1: `intervall` is not a key of [[blogs]]: did you mean `interval`?";
const PROBLEM_LINES: [&str; 3] = [
    "WARN configuration file: `url` is missing: write url = \"https://example.com/blog/\" line=1 column=1",
    "WARN configuration file: `intervall` is not a key of [[blogs]]: did you mean `interval`? line=3 column=1",
    "WARN the configuration file is not valid: correct it; the last good configuration stays in force",
];

/// A file with these blogs.
fn text(ids: &[&str]) -> String {
    ids.iter().map(|id| format!("[[blogs]]\nid = \"{id}\"\nurl = \"https://example.com/{id}\"\n")).collect()
}

fn ids(source: &ConfigSource) -> Vec<String> {
    source.current().blogs.iter().map(|blog| blog.id.clone()).collect()
}

struct Scene {
    folder: TempDir,
    path: PathBuf,
    source: ConfigSource,
    stop: CancellationToken,
    start: Instant,
    log: LogLines,
}

impl Scene {
    /// A file with the blog `a`, which is followed.
    fn following() -> Scene {
        Scene::with(|folder| fs::write(folder.join("config.toml"), text(&["a"])).unwrap())
    }

    fn with(prepare: impl FnOnce(&Path)) -> Scene {
        let folder = TempDir::new().unwrap();
        prepare(folder.path());
        let path = folder.path().join("config.toml");
        let source = ConfigSource::open(path.clone(), false).unwrap();
        let stop = CancellationToken::new();
        let (followed, stopped) = (source.clone(), stop.clone());
        let (start, log) = (Instant::now(), LogLines::collect());
        tokio::spawn(async move { followed.follow(stopped).await });
        Scene { folder, path, source, stop, start, log }
    }

    fn write(&self, text: &str) {
        fs::write(&self.path, text).unwrap();
    }

    /// Waits until a time after the start.
    async fn at(&self, ms: u64) {
        sleep_until(self.start + Duration::from_millis(ms)).await;
    }

    async fn later(&self) {
        sleep(Duration::from_secs(10)).await;
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

#[test]
fn reload_keeps_the_last_good_content() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("config.toml");
    fs::write(&path, text(&["a", "b"])).unwrap();
    let source = ConfigSource::open(path.clone(), true).unwrap();
    let log = LogLines::collect();

    fs::write(&path, BAD).unwrap();
    source.reload();
    assert_eq!(ids(&source), ["a", "b"]);
    assert_eq!(source.problem().as_deref(), Some(PROBLEMS));
    assert_eq!(log.take(), PROBLEM_LINES);

    fs::write(&path, text(&["b", "c", "d"])).unwrap();
    source.reload();
    assert_eq!(ids(&source), ["b", "c", "d"]);
    assert_eq!(source.problem(), None);
    assert_eq!(log.take(), ["INFO configuration file read again blogs=3 added=2 removed=1 changed=0"]);

    source.reload();
    assert_eq!(log.take(), ["INFO configuration file read again: no blog has changed blogs=3"]);
}

#[test]
fn reload_without_a_file_is_not_a_problem() {
    let folder = TempDir::new().unwrap();
    let source = ConfigSource::open(folder.path().join("config.toml"), false).unwrap();
    let log = LogLines::collect();
    source.reload();
    assert_eq!((ids(&source), source.problem()), (Vec::new(), None));
    assert_eq!(log.take(), ["INFO there is no configuration file"]);
}

#[tokio::test(start_paused = true)]
async fn a_change_is_noticed() {
    let scene = Scene::following();
    let mut receiver = scene.source.subscribe();
    scene.write(&text(&["a", "b"]));
    receiver.changed().await.unwrap();
    assert_eq!(receiver.borrow().blogs.len(), 2);
    assert!(scene.start.elapsed() < Duration::from_secs(3));
    assert_eq!(ids(&scene.source), ["a", "b"]);
    scene.later().await;
    assert_eq!(scene.log.take(), ["INFO configuration file read again blogs=2 added=1 removed=0 changed=0"]);
}

#[tokio::test(start_paused = true)]
async fn an_unchanged_file_is_not_read_again() {
    let scene = Scene::following();
    scene.later().await;
    assert_eq!(scene.log.take(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn the_same_content_again_is_not_sent() {
    let scene = Scene::following();
    let receiver = scene.source.subscribe();
    scene.write(&(text(&["a"]) + "# comment\n"));
    scene.later().await;
    assert!(!receiver.has_changed().unwrap());
    assert_eq!(scene.log.take(), ["INFO configuration file read again: no blog has changed blogs=1"]);
}

#[tokio::test(start_paused = true)]
async fn a_bad_file_is_reported_once_and_a_good_one_ends_it() {
    let scene = Scene::following();
    scene.write(BAD);
    scene.at(3_100).await;
    assert_eq!((scene.source.problem(), scene.log.take().len()), (None, 0));
    scene.at(20_000).await;
    assert_eq!(scene.source.problem().as_deref(), Some(PROBLEMS));
    assert_eq!(scene.log.take(), PROBLEM_LINES);
    assert_eq!(ids(&scene.source), ["a"]);
    scene.write(&text(&["b"]));
    scene.later().await;
    assert_eq!((ids(&scene.source), scene.source.problem()), (vec!["b".to_owned()], None));
}

#[tokio::test(start_paused = true)]
async fn a_bad_file_that_is_soon_good_is_not_reported() {
    let scene = Scene::following();
    scene.write(BAD);
    scene.at(2_700).await;
    scene.write(&text(&["b"]));
    scene.later().await;
    assert_eq!(scene.log.take(), ["INFO configuration file read again blogs=1 added=1 removed=1 changed=0"]);
}

/// The first part of a file may be valid without the rest.
#[tokio::test(start_paused = true)]
async fn a_file_is_not_read_while_it_grows() {
    let scene = Scene::following();
    let mut receiver = scene.source.subscribe();
    scene.write("");
    for (ms, blogs) in [(2_100, vec!["a"]), (2_300, vec!["a", "b"]), (2_500, vec!["a", "b", "c"])] {
        scene.at(ms).await;
        scene.write(&text(&blogs));
    }
    receiver.changed().await.unwrap();
    assert_eq!(ids(&scene.source), ["a", "b", "c"]);
}

#[tokio::test(start_paused = true)]
async fn a_replaced_file_is_noticed() {
    let scene = Scene::following();
    // Same length and time of modification.
    let other = scene.folder.path().join("other");
    fs::write(&other, text(&["b"])).unwrap();
    let modified = fs::metadata(&scene.path).unwrap().modified().unwrap();
    fs::File::options().write(true).open(&other).unwrap().set_modified(modified).unwrap();
    fs::rename(&other, &scene.path).unwrap();
    scene.later().await;
    assert_eq!(ids(&scene.source), ["b"]);
}

/// As Kubernetes updates a mounted file.
#[tokio::test(start_paused = true)]
async fn a_switched_symlink_is_noticed() {
    let scene = Scene::with(|folder| {
        for (version, id) in [("v1", "a"), ("v2", "b")] {
            fs::create_dir(folder.join(version)).unwrap();
            fs::write(folder.join(version).join("config.toml"), text(&[id])).unwrap();
        }
        symlink("v1", folder.join("data")).unwrap();
        symlink("data/config.toml", folder.join("config.toml")).unwrap();
    });
    let folder = scene.folder.path();
    symlink("v2", folder.join("data.new")).unwrap();
    fs::rename(folder.join("data.new"), folder.join("data")).unwrap();
    fs::remove_dir_all(folder.join("v1")).unwrap();
    scene.later().await;
    assert_eq!(ids(&scene.source), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn a_deleted_file_keeps_its_content() {
    let scene = Scene::following();
    fs::remove_file(&scene.path).unwrap();
    scene.later().await;
    scene.later().await;
    assert_eq!(ids(&scene.source), ["a"]);
    assert_eq!(scene.source.problem().as_deref(), Some("the file does not exist any more: put it back"));
    let line = "WARN configuration file: the file does not exist any more: put it back; \
                the last good configuration stays in force";
    assert_eq!(scene.log.take(), [line]);
    scene.write(&text(&["a"]));
    scene.later().await;
    assert_eq!(scene.source.problem(), None);
    assert_eq!(scene.log.take(), ["INFO configuration file read again: no blog has changed blogs=1"]);
}

#[tokio::test(start_paused = true)]
async fn a_file_that_appears_is_read() {
    let scene = Scene::with(|_| {});
    scene.later().await;
    assert_eq!(scene.log.take(), [""; 0]);
    scene.write(&text(&["a"]));
    scene.later().await;
    assert_eq!(ids(&scene.source), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn a_folder_in_its_place_is_a_problem() {
    let scene = Scene::following();
    fs::remove_file(&scene.path).unwrap();
    fs::create_dir(&scene.path).unwrap();
    scene.later().await;
    assert_eq!(scene.source.problem().as_deref(), Some("the path is not a file: put the file back"));
}

#[tokio::test(start_paused = true)]
async fn following_ends_when_it_is_stopped() {
    let scene = Scene::following();
    let stop = CancellationToken::new();
    stop.cancel();
    timeout(Duration::from_secs(1), scene.source.follow(stop)).await.unwrap();
}
