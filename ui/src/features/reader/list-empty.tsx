import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { CheckCheck, Newspaper, Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ItemFilter } from '@/shared/api/items';
import { subscriptionsQuery } from '@/shared/api/subscriptions';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';

/** An empty list: why it is empty, and what to do next. */
export function ListEmpty({ filter, hasFeeds }: { filter: ItemFilter; hasFeeds: boolean }) {
  const { t } = useTranslation('reading');
  const { feedId } = useParams({ strict: false });
  const feed = useQuery(subscriptionsQuery).data?.find((one) => one.feed_id === feedId);
  const isStopped = feed?.feed_status === 'stopped';
  if (!hasFeeds) {
    return (
      <EmptyState
        icon={<Newspaper aria-hidden />}
        title={t('empty.noFeedsTitle')}
        text={t('empty.noFeedsText')}
        action={
          <Button asChild look="primary">
            <Link to="/welcome">{t('sidebar.addFeed')}</Link>
          </Button>
        }
      />
    );
  }
  if (filter === 'starred') {
    return <EmptyState icon={<Star aria-hidden />} title={t('empty.starredTitle')} text={t('empty.starredText')} />;
  }
  if (filter === 'unread') {
    return (
      <EmptyState
        icon={<CheckCheck aria-hidden />}
        title={t('empty.allReadTitle')}
        text={t(isStopped ? 'empty.stoppedText' : 'empty.allReadText')}
        action={
          <Button asChild>
            <Link to="." search={(search) => ({ ...search, filter: 'all' })}>
              {t('empty.showAll')}
            </Link>
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<Newspaper aria-hidden />}
      title={t('empty.allTitle')}
      text={t(isStopped ? 'empty.stoppedText' : 'empty.allText')}
    />
  );
}
