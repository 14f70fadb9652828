import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchCheck } from '@/shared/api/watch';
import { localeOf } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';
import { cn } from '@/shared/lib/cn';
import { QueryList } from '@/shared/ui/query-list';
import { Table } from '@/shared/ui/table';
import { historyQuery } from './queries';

/** The checks of a site, the newest first. */
export function History({ id }: { id: string }) {
  const { t } = useTranslation('watch');
  const language = useLanguage();
  const format = useMemo(
    () => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short' }),
    [language],
  );
  const history = useInfiniteQuery(historyQuery(id));
  const checksOf = ({ pages }: NonNullable<typeof history.data>) => pages.flatMap((page) => page.checks);
  return (
    <QueryList
      query={history}
      loading={6}
      isEmpty={(data) => checksOf(data).length === 0}
      empty={t('blog.noHistory')}
      className="mt-4"
    >
      {(data) => (
        <Table
          caption={t('blog.history')}
          rows={checksOf(data)}
          keyOf={(check) => check.id}
          columns={[
            {
              label: t('blog.time'),
              value: ({ checked_at }) => (
                <time dateTime={checked_at} className="tabular whitespace-nowrap">
                  {format.format(Date.parse(checked_at))}
                </time>
              ),
            },
            { label: t('blog.result'), value: (check) => <Result check={check} /> },
            { label: t('blog.status'), value: ({ http_status }) => http_status ?? '–', isNumber: true },
          ]}
        />
      )}
    </QueryList>
  );
}

/** The result of a check in words. */
function Result({ check }: { check: WatchCheck }) {
  const { t } = useTranslation('watch');
  const kind = resultKind(check);
  return (
    <span className={cn(kind === 'changed' && 'font-medium text-ok', kind === 'failed' && 'text-bad')}>
      {kind === 'failed' ? t('results.failed', { reason: check.error_message ?? '' }) : t(`results.${kind}`)}
    </span>
  );
}

export function resultKind(check: WatchCheck): 'changed' | 'unchanged' | 'skipped' | 'failed' {
  if (check.error_message !== null) return 'failed';
  if (check.is_changed) return 'changed';
  return check.is_skipped ? 'skipped' : 'unchanged';
}
