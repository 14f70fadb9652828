import type { Client } from 'openapi-fetch';
import { api, type Schema } from './client';

/** How a watched site is checked. */
export type WatchSource = 'feed' | 'sitemap' | 'page';
export type WatchState = 'new' | 'ok' | 'quiet' | 'rebuilt' | 'failing' | 'stopped';
/** The checks of a day (`2026-11-18`), by result. */
export type WatchDay = { day: string; changed: number; unchanged: number; failed: number };
export type WatchPost = { url: string; title: string; published_at: string | null };
/** A watched site. */
export type WatchedBlog = {
  id: string;
  feed_id: string;
  name: string;
  url: string;
  /** Named in the configuration of the server, otherwise the user's own. */
  is_operators: boolean;
  state: WatchState;
  /** What is wrong and what to do, in the user's language. Empty if nothing is wrong. */
  state_text: string;
  source: WatchSource | null;
  source_url: string | null;
  last_check_at: string | null;
  last_change_at: string | null;
  next_check_at: string;
  /** The user's own subscription. */
  subscription_id: string | null;
  can_check: boolean;
  can_edit: boolean;
  include_words: string[];
  exclude_words: string[];
  /** The last 30 days, oldest first. */
  days: WatchDay[];
};
/** A watched site with the posts of its last check. */
export type WatchedBlogDetail = WatchedBlog & { posts: WatchPost[] };
export type WatchCheck = {
  id: string;
  checked_at: string;
  http_status: number | null;
  /** The site answered that nothing has changed since the last check. */
  is_skipped: boolean;
  is_changed: boolean;
  error_message: string | null;
};
export type WatchHistory = { checks: WatchCheck[]; has_more: boolean; next_cursor: string | null };
/** A list of posts on a page. */
export type WatchPostList = { id: string; posts: WatchPost[] };
export type WatchPreview = {
  url: string;
  title: string;
  source: WatchSource | null;
  source_url: string | null;
  /** The best first; empty if nothing was found. */
  lists: WatchPostList[];
  /** Why nothing was found, in the user's language. */
  problem: string | null;
};
/** The body of `POST /api/feeds`. With `kind: 'site'` the site is watched. */
export type NewFeed = Schema<'NewSubscription'> & {
  kind?: 'site';
  /** The id of a list of the preview. */
  list?: string;
  /** The newest posts start unread. */
  unread?: boolean;
};

type Json<T> = { content: { 'application/json': T } };
type Answer<T> = { 200: Json<T> };
type ById = { path: { id: string } };

// TODO: when docs/openapi.json has these paths, delete them and the types above, use `Schema<…>` and `api`.
type WatchPaths = {
  '/api/watch': { get: { responses: Answer<{ blogs: WatchedBlog[] }> } };
  '/api/watch/{id}': { get: { parameters: ById; responses: Answer<WatchedBlogDetail> } };
  '/api/watch/{id}/history': {
    get: { parameters: ById & { query?: { cursor?: string } }; responses: Answer<WatchHistory> };
  };
  '/api/watch/{id}/check': { post: { parameters: ById; responses: { 202: { content?: never } } } };
  '/api/watch/{id}/subscribe': {
    post: {
      parameters: ById;
      requestBody: Json<{ folder_id?: string | null; unread?: boolean }>;
      responses: { 201: Json<Schema<'FeedView'>> };
    };
  };
  '/api/watch/{id}/words': {
    put: {
      parameters: ById;
      requestBody: Json<{ include: string[]; exclude: string[] }>;
      responses: Answer<WatchedBlog>;
    };
  };
  '/api/watch/preview': { post: { requestBody: Json<{ url: string }>; responses: Answer<WatchPreview> } };
  '/api/feeds': { post: { requestBody: Json<NewFeed>; responses: { 201: Json<Schema<'FeedView'>> } } };
};

/** The paths of Watch, until the API document has them. */
export const watchApi = api as unknown as Client<WatchPaths>;

export const watchKeys = {
  all: ['watch'] as const,
  blogs: ['watch', 'blogs'] as const,
  blog: (id: string) => ['watch', 'blog', id] as const,
  history: (id: string) => ['watch', 'history', id] as const,
};
