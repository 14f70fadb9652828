import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { WatchedBlog } from '@/shared/api/watch';
import { Button } from '@/shared/ui/button';
import { BlogActions } from './blog-actions';
import { BlogState, SourceFact, TimeFacts } from './blog-state';
import { DayStrip } from './day-strip';

/** A watched site: its state, its last 30 days, and what can be done. On phones it is a card. */
export function BlogRow({ blog }: { blog: WatchedBlog }) {
  const { t } = useTranslation('watch');
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-2 py-3.5 max-md:grid-cols-1 max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface max-md:p-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 font-medium">
          <BlogName blog={blog} />
          <BlogState state={blog.state} />
        </p>
        {blog.state_text && <p className="mt-0.5 max-w-prose text-pretty text-ink-2 text-sm">{blog.state_text}</p>}
        <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm">
          <SourceFact blog={blog} />
          <TimeFacts blog={blog} />
        </dl>
      </div>
      <div className="space-y-2.5">
        <DayStrip days={blog.days} className="ml-auto max-md:w-full" />
        <div className="flex flex-wrap justify-end gap-2 max-md:justify-start">
          <BlogActions blog={blog} />
          <Button asChild size="sm">
            <Link to="/watch/$id" params={{ id: blog.id }} aria-label={t('detailsOf', { name: blog.name })}>
              {t('details')}
            </Link>
          </Button>
        </div>
      </div>
    </li>
  );
}

/** The name leads to the items, or to the site if the user is not subscribed. */
function BlogName({ blog }: { blog: WatchedBlog }) {
  const look = 'min-w-0 hover:underline wrap-anywhere max-md:py-1';
  if (blog.subscription_id) {
    return (
      <Link to="/feeds/$feedId" params={{ feedId: blog.feed_id }} className={look}>
        {blog.name}
      </Link>
    );
  }
  return (
    <a href={blog.url} target="_blank" rel="noreferrer" className={look}>
      {blog.name}
      <ExternalLink aria-hidden className="ml-1.5 inline size-3.5 text-ink-3" />
    </a>
  );
}
