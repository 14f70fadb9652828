//! How much speaks for a link being a post. The weights follow how often each sign occurs on posts and on other links.

use crate::{
    address::Role,
    item::{DateSign, Item},
    links::Target,
};

/// The score of an item. Posts have 4 and more, other links less.
pub(crate) fn score(item: &Item, target: &Target) -> f32 {
    let mut score = match item.date_sign {
        DateSign::Own => 3.0,
        DateSign::Beside => 2.5,
        DateSign::Partial => 1.5,
        DateSign::Far => 0.5,
        DateSign::None => 0.0,
    };
    let mut add = |is_true: bool, weight: f32| {
        if is_true {
            score += weight;
        }
    };
    let address = &target.address;
    let has_date = address.date().is_some();
    add(has_date, 2.5);
    add(!has_date && address.has_period() && target.role == Role::Page, 1.5);
    add(item.is_heading, 2.0);
    add((12..=220).contains(&item.columns), 1.5);
    add(item.columns < 4, -1.5);
    add(address.has_slug(), 1.0);
    add(address.is_below_posts(), 0.5);
    add(item.is_main, 0.5);
    add(item.has_post_name || item.is_in_article, 0.5);
    // A name such as "widget" around a list with dates means little.
    add(item.is_frame, if item.date_sign >= DateSign::Partial { -1.5 } else { -3.0 });
    add(item.is_prose, -3.0);
    add(item.has_price, -4.0);
    add(item.is_pager, -4.0);
    add(item.is_period, -5.0);
    add(target.role == Role::Period, -1.5);
    add(target.role == Role::Fixed, -4.0);
    score
}
