//! Finds the list of posts on a page: bytes in, values out, no IO.
//!
//! [`find_posts`] needs neither a selector nor rules for single sites. It scores every link by what its block shows, and
//! takes the best group of links with one template and the groups that are like it. A page without posts gives none. The
//! other groups are offered as alternatives, and the caller can ask for one of them by its id.
//!
//! The crate deliberately has no network and no database. No page may cause a panic or more than linear time or memory.
//!
//! [`parse_sitemap`] and [`posts_in_sitemap`] do the same for the sitemap of a site.
//!
//! Start reading at `find.rs`: it has the steps in their order.

mod absent;
mod address;
mod blocks;
mod dates;
mod find;
mod frame;
mod item;
mod links;
mod lists;
mod names;
mod page_dates;
mod prose;
mod score;
mod select;
mod sitemap;
mod structured;
mod text;
mod title;
mod when;

pub use absent::Absence;
pub use find::{Found, PageContext, Post, PostList, Reason, Rejected, find_posts};
pub use sitemap::{Sitemap, SitemapUrl, USUAL_PLACES, parse_sitemap, posts_in_sitemap, sitemaps_in_robots};
