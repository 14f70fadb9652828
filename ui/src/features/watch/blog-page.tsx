import './words';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, Binoculars, ExternalLink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { WatchedBlogDetail } from '@/shared/api/watch';
import { Page } from '@/shared/layout/page';
import { Problem } from '@/shared/lib/problem';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';
import { QueryList } from '@/shared/ui/query-list';
import { Section } from '@/shared/ui/section';
import { Time } from '@/shared/ui/time';
import { BlogActions } from './blog-actions';
import { BlogState, Fact, TimeFacts } from './blog-state';
import { DayLegend, DayStrip } from './day-strip';
import { History } from './history';
import { PostList } from './post-list';
import { blogQuery, useWatchEvents } from './queries';
import { WordsForm } from './words-form';

/** A watched site: its state, the posts of the last check, its words and its checks. */
export function BlogPage() {
  const { t } = useTranslation('watch');
  const { id } = useParams({ from: '/layout/watch/$id' });
  const blog = useQuery(blogQuery(id));
  useWatchEvents();
  const isGone = blog.error instanceof Problem && blog.error.status === 404;
  return (
    <Page title={blog.data?.name ?? t('blog.title')}>
      <Link
        to="/watch"
        className="mb-5 inline-flex min-h-7 items-center gap-1.5 text-ink-2 text-sm hover:text-ink hover:underline max-md:min-h-11"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t('blog.back')}
      </Link>
      {isGone ? (
        <EmptyState icon={<Binoculars aria-hidden />} title={t('blog.goneTitle')} text={t('blog.goneText')} />
      ) : (
        <QueryList query={blog} loading={8}>
          {(found) => <Blog key={found.id} blog={found} />}
        </QueryList>
      )}
    </Page>
  );
}

function Blog({ blog }: { blog: WatchedBlogDetail }) {
  const { t } = useTranslation('watch');
  const hasWords = blog.can_edit || blog.include_words.length + blog.exclude_words.length > 0;
  return (
    <>
      <Section isRuled title={t('blog.state')} choice={<BlogState state={blog.state} />}>
        {blog.state_text && <p className="mb-3 max-w-prose text-pretty">{blog.state_text}</p>}
        <Facts blog={blog} />
        <DayStrip days={blog.days} className="h-10 w-full" />
        <div className="mt-2">
          <DayLegend />
        </div>
        <Actions blog={blog} />
      </Section>
      <Section isRuled title={t('blog.posts')}>
        <PostList posts={blog.posts} />
      </Section>
      {hasWords && (
        <Section isRuled title={t('blog.words')} text={t(blog.can_edit ? 'blog.wordsText' : 'blog.wordsFixed')}>
          <WordsForm key={JSON.stringify([blog.include_words, blog.exclude_words])} blog={blog} />
        </Section>
      )}
      <Section isRuled title={t('blog.history')}>
        <History id={blog.id} />
      </Section>
    </>
  );
}

function Facts({ blog }: { blog: WatchedBlogDetail }) {
  const { t } = useTranslation('watch');
  const source = blog.source && t(`sources.${blog.source}`);
  return (
    <dl className="mb-4 grid grid-cols-2 gap-x-6 gap-y-1 text-sm max-md:grid-cols-1">
      <Fact name={t('address')}>
        <a href={blog.url} target="_blank" rel="noreferrer" className="text-link hover:underline">
          {blog.url}
        </a>
      </Fact>
      <Fact name={t('source')}>
        {source && blog.source_url && blog.source_url !== blog.url ? (
          <a href={blog.source_url} target="_blank" rel="noreferrer" className="text-link hover:underline">
            {source}
          </a>
        ) : (
          (source ?? t('noSource'))
        )}
      </Fact>
      <Fact name={t('lastCheck')}>
        {blog.last_check_at ? <Time at={blog.last_check_at} style="long" /> : t('noCheck')}
      </Fact>
      <TimeFacts blog={blog} />
    </dl>
  );
}

function Actions({ blog }: { blog: WatchedBlogDetail }) {
  const { t } = useTranslation('watch');
  return (
    <div className="mt-5 flex flex-wrap gap-2">
      <BlogActions blog={blog} />
      {blog.subscription_id && (
        <>
          <Button asChild size="sm">
            <Link to="/feeds/$feedId" params={{ feedId: blog.feed_id }}>
              {t('blog.open')}
            </Link>
          </Button>
          <Button asChild size="sm">
            <Link to="." search={(search) => ({ ...search, edit: blog.feed_id })}>
              {t('blog.settings')}
            </Link>
          </Button>
        </>
      )}
      <Button asChild size="sm">
        <a href={blog.url} target="_blank" rel="noreferrer">
          {t('blog.site')}
          <ExternalLink aria-hidden className="size-3.5" />
        </a>
      </Button>
    </div>
  );
}
