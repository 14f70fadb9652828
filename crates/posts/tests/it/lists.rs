//! The other lists of a page, and the choice of one of them.

use posts::Found;

use crate::{find, find_list};

const PAGE: &str = "https://site.example/";

/// A front page with a list of posts with dates, a list of shops, a menu and a pager.
fn front(posts: &[&str], shops: &[&str]) -> String {
    let mut page =
        "<html class=light><body class=home><nav><ul><li><a href=/company>Company</a><li><a href=/work>Work</a>\
        <li><a href=/team-of-ours>Team</a></ul></nav><main><ul class=news>"
            .to_owned();
    for post in posts {
        page += &format!("<li>2026-03-04 <a href=/news/{post}>News about the {post} of the town</a></li>");
    }
    page += "</ul><div class=shops>";
    for shop in shops {
        page += &format!("<p class=shop><a href=/shops/{shop}>The little shop of {shop} and more</a></p>");
    }
    page += "</div><div class=pages><a href=/page/2>2</a><a href=/page/3>3</a><a href=/page/4>4</a></div></main>";
    page
}

fn paths(posts: &[posts::Post]) -> Vec<&str> {
    posts.iter().map(|post| post.url.path()).collect()
}

/// The id of the only other list.
fn other(found: &Found) -> String {
    assert_eq!(found.others.len(), 1, "{:#?}", found.others);
    found.others.first().unwrap().id.clone()
}

const SHOPS: &[&str] = &["bread", "hats", "maps", "tea"];

#[test]
fn other_lists_are_offered() {
    let found = find(&front(&["pier", "mill", "fair"], SHOPS), PAGE);
    assert_eq!(paths(&found.posts), ["/news/pier", "/news/mill", "/news/fair"]);
    let other = found.others.first().unwrap();
    assert_eq!(paths(&other.posts), ["/shops/bread", "/shops/hats", "/shops/maps", "/shops/tea"]);
    assert_eq!(found.others.len(), 1, "neither the menu nor the pager: {:#?}", found.others);
    assert!(found.list.is_some_and(|id| id != other.id && id.len() == 16));
}

#[test]
fn a_chosen_list_stays_chosen_in_later_versions() {
    let id = other(&find(&front(&["pier", "mill", "fair"], SHOPS), PAGE));
    let later = front(&["fire", "pier", "mill", "fair", "bridge"], &["yarn", "bread", "hats"]);
    let later = later.replace("class=light", "class='dark wide'").replace("class=home", "class=\"home spring-2027\"");
    let found = find_list(&later, PAGE, Some(&id));
    assert_eq!(paths(&found.posts), ["/shops/yarn", "/shops/bread", "/shops/hats"]);
    assert_eq!((found.list, found.absence), (Some(id.clone()), None));
    // The best list is offered first, so that the choice can be taken back.
    assert_eq!(found.others.first().unwrap().posts.len(), 5);
    assert!(found.rejected.iter().any(|rejected| rejected.url.path() == "/news/fire"));
    // Also with fewer links than a list needs to be offered.
    assert_eq!(paths(&find_list(&front(&["a", "b"], &["yarn"]), PAGE, Some(&id)).posts), ["/shops/yarn"]);
}

#[test]
fn a_choice_survives_a_new_build_of_the_site() {
    let page =
        |hash: &str| front(&["pier", "mill", "fair"], SHOPS).replace("class=shop>", &format!("class=shop__{hash}>"));
    let id = other(&find(&page("Z6MsX"), PAGE));
    assert_eq!(find_list(&page("q81Bc"), PAGE, Some(&id)).list, Some(id));
}

#[test]
fn the_best_list_replaces_a_chosen_one_that_is_gone() {
    let page = front(&["pier", "mill", "fair"], SHOPS);
    let (found, best) = (find_list(&page, PAGE, Some("0123456789abcdef")), find(&page, PAGE));
    assert_eq!(found, best);
    assert_eq!(find_list(&page, PAGE, best.list.as_deref()), best);
}

#[test]
fn lists_are_offered_where_none_is_trusted() {
    let page = front(&[], SHOPS);
    let found = find(&page, PAGE);
    assert!(found.posts.is_empty() && found.absence.is_some() && found.list.is_none());
    let id = other(&found);
    let chosen = find_list(&page, PAGE, Some(&id));
    assert_eq!(chosen.posts, found.others.first().unwrap().posts);
    assert!(chosen.absence.is_none() && chosen.others.is_empty());
}

#[test]
fn at_most_five_lists_are_offered_the_likeliest_first() {
    let list = |at: usize| {
        let class = char::from(b'a' + u8::try_from(at).unwrap());
        let links =
            (0..3 + at).map(|link| format!("<p class={class}><a href=/{class}/{link}>Some words of a title</a>"));
        links.collect::<String>()
    };
    let found = find(&(0..8).map(list).collect::<String>(), PAGE);
    let sizes: Vec<usize> = found.others.iter().map(|list| list.posts.len()).collect();
    assert_eq!(sizes, [10, 9, 8, 7, 6]);
}

#[test]
fn a_list_in_the_data_can_be_left_and_taken_back() {
    let data = "<script type=application/ld+json>[{\"@type\":\"Article\",\"name\":\"One\",\"url\":\"/one\"},\
        {\"@type\":\"Article\",\"name\":\"Two\",\"url\":\"/two\"},\
        {\"@type\":\"Article\",\"name\":\"Three\",\"url\":\"/three\"}]</script>";
    let page = front(&[], SHOPS) + data;
    let found = find(&page, PAGE);
    assert_eq!((found.posts.len(), found.list.as_deref()), (3, Some("data")));
    let chosen = find_list(&page, PAGE, Some(&other(&found)));
    assert_eq!(chosen.posts.len(), SHOPS.len());
    assert_eq!(other(&chosen), "data");
    assert_eq!(chosen.others.first().unwrap().posts, found.posts);
}

/// Ids are stored: a change of the hash loses every choice that users made.
#[test]
fn ids_do_not_change() {
    let found = find(&front(&["pier", "mill", "fair"], SHOPS), PAGE);
    assert_eq!((found.list.as_deref(), other(&found).as_str()), (Some("531e647af9443f02"), "8d187807576cea48"));
}
