import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import { useLanguage } from '@/shared/i18n/use-language';
import { cn } from '@/shared/lib/cn';
import { QueryRows } from '@/shared/ui/query-list';
import { Row, Verbatim } from '@/shared/ui/section';
import { Time } from '@/shared/ui/time';
import { type FeedStatus, feedHealthQuery } from './queries';

const STATUSES = ['error', 'stopped', 'active'] as const satisfies readonly FeedStatus[];
const dots = { active: 'bg-ok', error: 'bg-warn', stopped: 'bg-bad' } as const satisfies Record<FeedStatus, string>;

type FeedHealthProps = { status: FeedStatus; onStatus: (status: FeedStatus) => void };

/** The number of feeds by status, and the feeds of one status with their problem. */
export function FeedHealth({ status, onStatus }: FeedHealthProps) {
  const { t } = useTranslation('health');
  const feeds = useInfiniteQuery(feedHealthQuery(status));
  return (
    <>
      <Counts counts={feeds.data?.pages[0]?.counts} status={status} onStatus={onStatus} />
      <QueryRows
        query={feeds}
        of={({ pages }) => pages.flatMap((page) => page.feeds)}
        loading={4}
        empty={t(`noFeeds.${status}`)}
      >
        {(feed) => <FeedRow key={feed.id} feed={feed} />}
      </QueryRows>
    </>
  );
}

type CountsProps = { counts: Schema<'StatusCountsView'> | undefined } & FeedHealthProps;

/** The number of feeds by status. Choosing one lists its feeds below. */
function Counts({ counts, status, onStatus }: CountsProps) {
  const { t } = useTranslation('health');
  const number = new Intl.NumberFormat(useLanguage());
  return (
    <fieldset className="mb-4 grid grid-cols-3 gap-3 max-md:gap-2">
      <legend className="sr-only">{t('status')}</legend>
      {STATUSES.map((one) => (
        <label
          key={one}
          className="cursor-pointer rounded-lg border border-line bg-surface px-4 py-3 hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 max-md:px-3"
        >
          <input
            type="radio"
            name="feed-status"
            className="sr-only"
            checked={one === status}
            onChange={() => onStatus(one)}
          />
          <span className="tabular block font-semibold text-2xl leading-tight">
            {counts ? number.format(counts[one]) : '–'}
          </span>
          <span className="flex items-center gap-1.5 text-ink-2 text-sm">
            <span aria-hidden className={cn('size-2 rounded-full', dots[one])} />
            {t(one)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function FeedRow({ feed }: { feed: Schema<'FeedHealthView'> }) {
  const { t } = useTranslation('health');
  return (
    <Row
      title={
        <>
          {feed.title || feed.feed_url}
          <span className="tabular font-normal text-ink-3 text-sm">
            {t('subscribers', { count: feed.subscribers })}
          </span>
        </>
      }
      details={feed.feed_url}
    >
      {feed.error_message && (
        <p className={cn('mt-1 text-pretty text-sm', feed.fetch_status === 'stopped' ? 'text-bad' : 'text-warn')}>
          {feed.error_message}
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-x-3 text-ink-3 text-sm">
        {feed.consecutive_errors > 0 && <span>{t('fails', { count: feed.consecutive_errors })}</span>}
        <span>
          {feed.last_fetched_at ? (
            <>
              {t('fetched')} <Time at={feed.last_fetched_at} style="long" />
            </>
          ) : (
            t('neverFetched')
          )}
        </span>
        {feed.fetch_status !== 'stopped' && (
          <span>
            {t('next')} <Time at={feed.next_fetch_at} style="long" />
          </span>
        )}
      </p>
      {feed.error_details && (
        <details className="mt-1 text-sm">
          <summary className="cursor-pointer py-1 text-ink-3 max-md:py-3">{t('details')}</summary>
          <Verbatim>{feed.error_details}</Verbatim>
        </details>
      )}
    </Row>
  );
}
