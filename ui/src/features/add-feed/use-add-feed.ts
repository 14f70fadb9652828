import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, body, type Schema } from '@/shared/api/client';
import { itemKeys } from '@/shared/api/items';
import { folderKeys, subscriptionKeys, subscriptionsQuery } from '@/shared/api/subscriptions';
import { type NewFeed, watchKeys } from '@/shared/api/watch';
import { Problem } from '@/shared/lib/problem';

export type Offer = { url: string; title: string | null; kind: Schema<'FeedCandidateKind'> };
export type Added = Schema<'FeedView'>;

type Options = { resolveFolder: () => Promise<string | null>; onAdded: (feeds: Added[]) => void };

/** Finds the feeds of an address and subscribes to the only one, or to the chosen ones; or watches its site. */
export function useAddFeed({ resolveFolder, onAdded }: Options) {
  const client = useQueryClient();
  const subscriptions = useQuery(subscriptionsQuery);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const add = useMutation({
    mutationFn: async (feeds: readonly NewFeed[]) => {
      const folder_id = await resolveFolder();
      const added: Added[] = [];
      // One after the other: if one of them fails, it is clear which.
      for (const feed of feeds) added.push(await body(api.POST('/api/feeds', { body: { ...feed, folder_id } })));
      return added;
    },
    // The subscriptions are fetched first: without the new one, the page of the feed would say that it does not exist.
    onSettled: (added) => {
      for (const queryKey of [folderKeys.all, itemKeys.lists, watchKeys.all])
        void client.invalidateQueries({ queryKey });
      const known = client.invalidateQueries({ queryKey: subscriptionKeys.all });
      return added && known.then(() => onAdded(added));
    },
  });
  const look = useMutation({
    mutationFn: (url: string) => {
      controller.current?.abort();
      controller.current = new AbortController();
      return body(api.POST('/api/feeds/discover', { body: { url }, signal: controller.current.signal }));
    },
    onSuccess: ({ candidates }) => {
      const only = candidates.length === 1 ? candidates[0] : undefined;
      if (only) add.mutate([{ url: only.url }]);
    },
  });

  const known = new Map(subscriptions.data?.map((one) => [one.feed_url, one.feed_id]));
  const error = add.error ?? look.error;
  const offers = offersOf(look.data?.candidates, error);
  return {
    begin: (address: string) => {
      add.reset();
      look.mutate(address);
    },
    restart: () => {
      add.reset();
      look.reset();
    },
    subscribe: (urls: readonly string[]) => add.mutate(urls.map((url) => ({ url }))),
    /** Watches a site that has no feed. */
    watch: (site: Pick<NewFeed, 'url' | 'list' | 'unread'>) => add.mutate([{ ...site, kind: 'site' }]),
    /** Forgets the error of the last attempt. */
    forget: add.reset,
    isLooking: look.isPending,
    isAdding: add.isPending,
    error,
    offers,
    /** The subscribed feed at this address. */
    present: (url: string) => known.get(url),
    /** The subscribed feed that is the reason for the error. */
    existing: existingFeed(error, subscriptions.data ?? []),
  };
}

/** Whether the address has no feed, so that the site itself can be watched. */
export function hasNoFeed(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'feed_not_found' || error.code === 'feeds_unreadable');
}

/** The feeds to choose from: those found, or those that an error names. Empty without a choice. */
export function offersOf(found: readonly Offer[] | undefined, error: unknown): readonly Offer[] {
  if (found && found.length > 1) return found;
  const named = error instanceof Problem ? (error.body?.candidates ?? []) : [];
  return named.map(({ url, title }) => ({ url, title, kind: 'unknown' }));
}

function existingFeed(error: unknown, all: readonly Schema<'SubscriptionView'>[]): string | undefined {
  const id = error instanceof Problem ? error.body?.subscription_id : undefined;
  return id ? all.find((one) => one.id === id)?.feed_id : undefined;
}

export type Adding = ReturnType<typeof useAddFeed>;
