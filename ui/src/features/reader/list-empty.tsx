import { Link } from '@tanstack/react-router';
import { CheckCheck, Newspaper, Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ItemFilter } from '@/shared/api/items';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';

/** A list with nothing in it says why, and what to do next. */
export function ListEmpty({ filter, hasFeeds }: { filter: ItemFilter; hasFeeds: boolean }) {
  const { t } = useTranslation('reading');
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
        text={t('empty.allReadText')}
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
  return <EmptyState icon={<Newspaper aria-hidden />} title={t('empty.allTitle')} text={t('empty.allText')} />;
}
