import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchPost, WatchPostList, WatchPreview } from '@/shared/api/watch';
import { Time } from '@/shared/ui/time';

/** The posts that are shown; the others are counted. */
const SHOWN = 8;
/** The titles by which a list is recognised. */
const TITLES = 2;

type SitePreviewProps = {
  site: WatchPreview;
  list: WatchPostList;
  onList: (id: string) => void;
  isDisabled: boolean;
};

/** A site as it would be watched: how, which list of posts, and the posts. */
export function SitePreview({ site, list, onList, isDisabled }: SitePreviewProps) {
  const { t } = useTranslation('reader');
  return (
    <>
      <div>
        <p className="font-semibold wrap-anywhere">{site.title || site.url}</p>
        {site.source && <p className="text-ink-2 text-sm">{t(`site.sources.${site.source}`)}</p>}
      </div>
      {site.lists.length > 1 && (
        <ListChoice lists={site.lists} chosen={list} onChange={onList} isDisabled={isDisabled} />
      )}
      <Posts posts={list.posts} />
    </>
  );
}

/** The chosen list, or else the best one. */
export function chosenList(lists: readonly WatchPostList[], id: string | null): WatchPostList | undefined {
  return lists.find((list) => list.id === id) ?? lists[0];
}

/** The first titles of a list. */
export const titlesOf = ({ posts }: WatchPostList): string[] =>
  posts.slice(0, TITLES).map(({ title, url }) => title || url);

type ListChoiceProps = {
  lists: readonly WatchPostList[];
  chosen: WatchPostList;
  onChange: (id: string) => void;
  isDisabled: boolean;
};

/** The lists of a page as cards. It is above the posts, so that it stays in place when they change. */
function ListChoice({ lists, chosen, onChange, isDisabled }: ListChoiceProps) {
  const { t } = useTranslation('reader');
  const name = useId();
  return (
    <fieldset disabled={isDisabled} className="min-w-0">
      <legend className="mb-2 font-medium text-sm">{t('site.lists', { count: lists.length })}</legend>
      <div className="space-y-2">
        {lists.map((list) => (
          <label
            key={list.id}
            className="flex cursor-pointer items-start gap-3 rounded-lg border border-line px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-disabled:cursor-default"
          >
            <input
              type="radio"
              name={name}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
              checked={list.id === chosen.id}
              onChange={() => onChange(list.id)}
            />
            <span className="min-w-0 flex-1 text-sm">
              {titlesOf(list).map((title, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two posts may have one title, and they never move
                <span key={at} className="block truncate">
                  {title}
                </span>
              ))}
              <span className="text-ink-3">{t('site.posts', { count: list.posts.length })}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Posts({ posts }: { posts: readonly WatchPost[] }) {
  const { t } = useTranslation('reader');
  const rest = posts.length - SHOWN;
  return (
    <section aria-label={t('site.found')}>
      <p className="mb-2 font-medium text-sm">{t('site.found')}</p>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {posts.slice(0, SHOWN).map((post) => (
          <li key={post.url} className="flex items-baseline gap-3 px-3 py-1.5 text-sm">
            <a
              href={post.url}
              target="_blank"
              rel="noreferrer"
              className="min-w-0 flex-1 truncate hover:underline max-md:py-1.5"
            >
              {post.title || post.url}
            </a>
            {post.published_at && <Time at={post.published_at} className="tabular shrink-0 text-ink-3" />}
          </li>
        ))}
        {rest > 0 && <li className="px-3 py-1.5 text-ink-3 text-sm">{t('site.more', { count: rest })}</li>}
      </ul>
    </section>
  );
}
