import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';
import { Mark } from '@/shared/ui/mark';
import { usePageTitle } from '@/shared/ui/page-title';

export function NotFound() {
  const { t } = useTranslation();
  usePageTitle(t('notFound.title'));
  return (
    <main>
      <EmptyState
        isPage
        icon={<Mark className="size-12" />}
        title={t('notFound.title')}
        text={t('notFound.text')}
        action={
          <Button asChild look="primary">
            <Link to="/">{t('notFound.action')}</Link>
          </Button>
        }
      />
    </main>
  );
}
