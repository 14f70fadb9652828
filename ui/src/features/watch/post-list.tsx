import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchPost } from '@/shared/api/watch';
import { Button } from '@/shared/ui/button';
import { Time } from '@/shared/ui/time';

const FIRST = 10;

/** The posts that a check has found, the first ten at first. */
export function PostList({ posts }: { posts: readonly WatchPost[] }) {
  const { t } = useTranslation(['watch', 'common']);
  const [isWhole, setWhole] = useState(false);
  if (posts.length === 0) return <p className="text-ink-2">{t('blog.noPosts')}</p>;
  return (
    <>
      <ul className="divide-y divide-line border-line border-y">
        {(isWhole ? posts : posts.slice(0, FIRST)).map((post) => (
          <li key={post.url} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            <a
              href={post.url}
              target="_blank"
              rel="noreferrer"
              className="min-w-0 flex-1 text-pretty hover:underline wrap-anywhere max-md:py-1"
            >
              {post.title || t('blog.untitled')}
            </a>
            {post.published_at && <Time at={post.published_at} className="tabular shrink-0 text-ink-3 text-sm" />}
          </li>
        ))}
      </ul>
      {!isWhole && posts.length > FIRST && (
        <Button className="mt-3" onClick={() => setWhole(true)}>
          {t('common:showMore')}
        </Button>
      )}
    </>
  );
}
