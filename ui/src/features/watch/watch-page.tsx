import './words';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Binoculars, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchedBlog } from '@/shared/api/watch';
import { Page } from '@/shared/layout/page';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';
import { QueryList } from '@/shared/ui/query-list';
import { Section } from '@/shared/ui/section';
import { AddSitesDialog } from './add-sites-dialog';
import { BlogRow } from './blog-row';
import { DayLegend } from './day-strip';
import { blogsQuery, useWatchEvents } from './queries';

/** All watched sites: the user's own, and those of the server. */
export function WatchPage() {
  const { t } = useTranslation(['watch', 'common']);
  const [isAdding, setAdding] = useState(false);
  const blogs = useQuery(blogsQuery);
  useWatchEvents();
  const addMany = (size: 'sm' | 'md') => (
    <Button size={size} onClick={() => setAdding(true)}>
      {t('many')}
    </Button>
  );
  const isShown = blogs.data !== undefined && blogs.data.length > 0;
  return (
    <Page
      title={t('common:watch')}
      className="max-w-4xl"
      actions={
        isShown && (
          <Button asChild size="sm">
            <AddLink />
          </Button>
        )
      }
    >
      <QueryList
        query={blogs}
        loading={12}
        empty={
          <EmptyState
            icon={<Binoculars aria-hidden />}
            title={t('emptyTitle')}
            text={t('emptyText')}
            action={
              <>
                <Button asChild look="primary">
                  <AddLink />
                </Button>
                {addMany('md')}
              </>
            }
          />
        }
      >
        {(all) => (
          <>
            <div className="mb-5">
              <DayLegend />
            </div>
            <Blogs
              title={t('own')}
              choice={addMany('sm')}
              blogs={all.filter((one) => !one.is_operators)}
              empty={t('ownEmpty')}
            />
            <Blogs title={t('operators')} text={t('operatorsText')} blogs={all.filter((one) => one.is_operators)} />
          </>
        )}
      </QueryList>
      {isAdding && <AddSitesDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** Opens the dialog that adds a feed. */
function AddLink(props: { className?: string }) {
  const { t } = useTranslation('watch');
  return (
    <Link to="." search={(search) => ({ ...search, add: '' })} {...props}>
      <Plus aria-hidden className="size-4" />
      {t('addSite')}
    </Link>
  );
}

type BlogsProps = { title: string; text?: string; choice?: ReactNode; blogs: readonly WatchedBlog[]; empty?: string };

function Blogs({ title, text, choice, blogs, empty }: BlogsProps) {
  if (blogs.length === 0 && !empty) return null;
  return (
    <Section isRuled title={title} text={text} choice={choice}>
      {blogs.length === 0 ? (
        <p className="text-ink-2">{empty}</p>
      ) : (
        <ul className="divide-y divide-line border-line border-y max-md:space-y-3 max-md:divide-y-0 max-md:border-y-0">
          {blogs.map((blog) => (
            <BlogRow key={blog.id} blog={blog} />
          ))}
        </ul>
      )}
    </Section>
  );
}
