import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { keptFact } from '../offline/kept';
import { orKept } from '../offline/or-kept';
import { noteArrivals } from './arrivals';
import { api, body, type Schema } from './client';
import { withPending } from './counts';
import { leaving } from './leaving';
import { pending } from './pending';

type Subscription = Schema<'SubscriptionView'>;

export const subscriptionKeys = { all: ['subscriptions'] as const };
export const folderKeys = { all: ['folders'] as const };

/** All of a person's subscriptions: the sidebar, titles of feeds in lists, and whether this is a first visit. */
export const subscriptionsQuery = queryOptions({
  queryKey: subscriptionKeys.all,
  queryFn: async ({ client, signal }) => {
    const all = await orKept(ask(signal), () => kept(client));
    return all.filter((one) => !leaving.has(one.id));
  },
});

/** What is shown has what was done since it was kept. */
async function kept(client: QueryClient): Promise<Subscription[] | undefined> {
  const all =
    client.getQueryData<Subscription[]>(subscriptionKeys.all) ?? (await keptFact<Subscription[]>('subscriptions'));
  all?.forEach(noteArrivals);
  return all;
}

/** Somebody may mark one item after the other while the server answers; so often it is asked again. */
const MOST_TRIES = 10;

/** Asked again if a change arrived meanwhile: nobody can tell whether it is counted. */
async function ask(signal: AbortSignal, tries = 1): Promise<Subscription[]> {
  const changes = pending.follow();
  const all = await body(api.GET('/api/subscriptions', { signal }));
  all.forEach(noteArrivals);
  const isDoubtful = changes().length > pending.get().length;
  return isDoubtful && tries < MOST_TRIES ? ask(signal, tries + 1) : all.map(withPending);
}

export const foldersQuery = queryOptions({
  queryKey: folderKeys.all,
  queryFn: ({ signal }) =>
    orKept(body(api.GET('/api/folders', { signal })), () => keptFact<Schema<'FolderView'>[]>('folders')),
});
