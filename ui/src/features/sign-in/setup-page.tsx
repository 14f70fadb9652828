import './words';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, body } from '@/shared/api/client';
import { providersQuery } from '@/shared/api/providers';
import { Button } from '@/shared/ui/button';
import { Notice } from '@/shared/ui/notice';
import { AccountForm } from './account-form';
import { VisitorPage } from './visitor-page';

/** The page of the one-time link: creates the first account. */
export function SetupPage() {
  const { t } = useTranslation('signIn');
  const { token } = useSearch({ from: '/setup' });
  const isOver = useQuery(providersQuery).data?.setup_required === false;
  if (isOver) {
    return (
      <VisitorPage title={t('setup.over.title')} lead={t('setup.over.text')}>
        <Button asChild look="primary" size="lg" className="w-full">
          <Link to="/sign-in">{t('setup.over.action')}</Link>
        </Button>
      </VisitorPage>
    );
  }
  return (
    <VisitorPage title={t('setup.title')} lead={t('setup.lead')}>
      {token ? (
        <AccountForm
          isNew
          submit={t('setup.submit')}
          request={(account) => body(api.POST('/auth/setup', { body: { token, ...account } }))}
          path="/welcome"
        />
      ) : (
        <Notice tone="bad" title={t('setup.noToken.title')} text={t('setup.noToken.text')} />
      )}
    </VisitorPage>
  );
}
