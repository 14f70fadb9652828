import type { Schema } from './client';

export type WatchSource = Schema<'WatchSource'>;
export type WatchState = Schema<'WatchState'>;
export type WatchDay = Schema<'DayOfChecks'>;
export type WatchPost = Schema<'WatchPost'>;
export type WatchedBlog = Schema<'WatchedBlog'>;
export type WatchedBlogDetail = Schema<'WatchedBlogDetail'>;
export type WatchCheck = Schema<'Check'>;
export type WatchHistory = Schema<'CheckHistoryView'>;
export type WatchPostList = Schema<'PostList'>;
export type WatchPreview = Schema<'WatchPreview'>;
export type NewFeed = Schema<'NewSubscription'>;

export const watchKeys = {
  all: ['watch'] as const,
  blogs: ['watch', 'blogs'] as const,
  blog: (id: string) => ['watch', 'blog', id] as const,
  history: (id: string) => ['watch', 'history', id] as const,
};
