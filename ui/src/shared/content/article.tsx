import { useQuery } from '@tanstack/react-query';
import { ArrowUpRight, FileText, MessageSquare, Paperclip } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Item, type ItemDetail, itemQuery } from '../api/items';
import { exactTime } from '../i18n/time';
import { useLanguage } from '../i18n/use-language';
import { Problem } from '../lib/problem';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { Notice } from '../ui/notice';
import { SkeletonLines } from '../ui/skeleton';
import { Time } from '../ui/time';
import { ArticleText } from './article-text';
import { directionOf, languageOf } from './prepare';
import { useFullText } from './use-full-text';

type ArticleProps = {
  id: string;
  /** What the list knows of it: shown until the rest is there. */
  known?: Item;
  feedTitle?: string;
  /** Read and star, beside the link to the original. */
  actions?: ReactNode;
  /** Previous and next. */
  footer?: ReactNode;
  /** How its title is a heading: on a page of its own it is the first. */
  level?: 1 | 2;
};

/** An article, in the list or on a page of its own. */
export function Article({ id, known, feedTitle, actions, footer, level = 2 }: ArticleProps) {
  const { t } = useTranslation('reading');
  const detail = useQuery(itemQuery(id));
  const item = detail.data ?? known;
  const text = useFullText(detail.data);
  if (detail.error instanceof Problem && detail.error.status === 404) return <EmptyState title={t('article.gone')} />;
  return (
    <article className="mx-auto w-full max-w-[calc(var(--reading-size)*36+40px)] px-5 pt-6 pb-8 max-md:pt-5">
      {item && (
        <Head item={item} detail={detail.data} feedTitle={feedTitle} level={level}>
          {item.link && (
            <Button size="sm" aria-keyshortcuts="f" isBusy={text.isBusy} disabled={!detail.data} onClick={text.toggle}>
              <FileText aria-hidden className="size-4" />
              {text.isShown ? t('article.feedText') : t('article.fullText')}
            </Button>
          )}
          {actions}
        </Head>
      )}
      <div className="mt-6 space-y-5 max-md:mt-5">
        {text.problem && <Notice tone={text.isWanted ? 'bad' : 'plain'} text={text.problem} />}
        {text.error && <ErrorState error={text.error} isInline />}
        {detail.data ? (
          <Text html={text.html} level={level} />
        ) : detail.error ? (
          <ErrorState error={detail.error} onRetry={() => detail.refetch()} isInline />
        ) : (
          <SkeletonLines lines={7} className="space-y-[17px] py-2" />
        )}
      </div>
      {detail.data && <Attachments item={detail.data} />}
      {footer && <footer className="mt-8 flex justify-between border-line border-t pt-4">{footer}</footer>}
    </article>
  );
}

type HeadProps = { item: Item; detail?: ItemDetail; feedTitle?: string; level: 1 | 2; children: ReactNode };

function Head({ item, detail, feedTitle, level, children }: HeadProps) {
  const { t } = useTranslation('reading');
  const language = useLanguage();
  const Title = `h${level}` as const;
  // Often the author is the feed itself.
  const parts = new Set([feedTitle, item.author].filter(Boolean));
  return (
    // The line below the title begins on the same side as the title.
    <header dir={directionOf(item.title)}>
      <Title
        // What is opened is read out from here, and Tab goes on from here.
        data-title
        tabIndex={-1}
        lang={languageOf(item.title)}
        className="article-title wrap-anywhere text-balance outline-hidden font-semibold text-2xl tracking-[-0.01em] max-md:text-xl"
      >
        {item.title || t('list.untitled')}
      </Title>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b pb-4">
        <div className="min-w-0 flex-1 basis-60 text-ink-3 text-sm">
          {[...parts].map((part) => (
            <span key={part} className="text-ink-2">
              <bdi>{part}</bdi>
              {' · '}
            </span>
          ))}
          {item.is_date_estimated && (
            <span title={t('list.estimated', { time: exactTime(item.published_at, language) })}>≈ </span>
          )}
          <Time at={item.published_at} style="long" />
          {detail && detail.categories.length > 0 && (
            <ul aria-label={t('article.categories')} className="inline">
              {[...new Set(detail.categories)].slice(0, 12).map((category) => (
                <li key={category} className="inline">
                  {' · '}
                  <bdi>{category}</bdi>
                </li>
              ))}
            </ul>
          )}
        </div>
        <div dir="ltr" className="flex flex-wrap items-center gap-2">
          {item.link && (
            <Button asChild size="sm">
              <a href={item.link} target="_blank" rel="noopener noreferrer">
                {t('article.original')}
                <ArrowUpRight aria-hidden className="size-4" />
              </a>
            </Button>
          )}
          {detail?.comments_url && detail.comments_url !== item.link && (
            <Button asChild size="sm">
              <a href={detail.comments_url} target="_blank" rel="noopener noreferrer">
                <MessageSquare aria-hidden className="size-4" />
                {t('article.comments')}
              </a>
            </Button>
          )}
          {children}
        </div>
      </div>
    </header>
  );
}

function Text({ html, level }: { html: string | null | undefined; level: 1 | 2 }) {
  const { t } = useTranslation('reading');
  if (!html?.trim()) return <p className="text-ink-2">{t('article.noText')}</p>;
  return <ArticleText html={html} level={level} />;
}

function Attachments({ item }: { item: ItemDetail }) {
  const { t } = useTranslation('reading');
  if (item.enclosures.length === 0) return null;
  return (
    <section aria-label={t('article.attachments')} className="mt-6 space-y-1.5">
      {item.enclosures.map((enclosure) => (
        <a
          key={enclosure.url}
          href={enclosure.url}
          target="_blank"
          rel="noopener noreferrer"
          className="flex min-h-6 items-center gap-2 text-link text-sm hover:underline max-md:min-h-11"
        >
          <Paperclip aria-hidden className="size-4 shrink-0 text-ink-3" />
          <span className="truncate">{fileName(enclosure.url)}</span>
          {enclosure.type && <span className="shrink-0 text-ink-3">{enclosure.type}</span>}
        </a>
      ))}
    </section>
  );
}

function fileName(address: string): string {
  try {
    const { pathname, hostname } = new URL(address);
    return decodeURIComponent(pathname.split('/').at(-1) || hostname);
  } catch {
    return address;
  }
}
