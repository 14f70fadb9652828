import './words';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, body, type Schema } from '@/shared/api/client';
import { providersQuery } from '@/shared/api/providers';
import { signInErrorText } from '@/shared/i18n/sign-in-error';
import { apiUrl } from '@/shared/lib/api-url';
import { sessionEnded } from '@/shared/offline/session-user';
import { Button } from '@/shared/ui/button';
import { Notice } from '@/shared/ui/notice';
import { QueryList } from '@/shared/ui/query-list';
import { Bone, Skeleton } from '@/shared/ui/skeleton';
import { AccountForm } from './account-form';
import { returnPath } from './return-to';
import { VisitorPage } from './visitor-page';

/** Sign-in with the configured methods, and sign-up where it is allowed. */
export function SignInPage() {
  const { t } = useTranslation('signIn');
  const { error, as } = useSearch({ from: '/sign-in' });
  const ways = useQuery(providersQuery);
  const isNew = as === 'new' && ways.data?.registration === true;
  return (
    <VisitorPage title={t(isNew ? 'registerTitle' : 'title')}>
      {error && <Notice tone="bad" text={signInErrorText(error)} className="mb-5" />}
      <QueryList
        query={ways}
        loading={
          <Skeleton className="space-y-4">
            <Bone className="h-11 rounded-lg" />
            <Bone className="h-11 rounded-lg" />
          </Skeleton>
        }
      >
        {(data) => <Ways ways={data} isNew={isNew} />}
      </QueryList>
    </VisitorPage>
  );
}

function Ways({ ways, isNew }: { ways: Schema<'ProvidersView'>; isNew: boolean }) {
  const { t } = useTranslation('signIn');
  const path = returnPath(useSearch({ from: '/sign-in' }).return_to);
  if (ways.setup_required) return <Notice title={t('setupFirst.title')} text={t('setupFirst.text')} />;
  if (!ways.local && ways.providers.length === 0)
    return <Notice tone="bad" title={t('noWay.title')} text={t('noWay.text')} />;
  return (
    <>
      {ways.local && !isNew && (
        <AccountForm
          submit={t('submit')}
          request={({ email, password }) => body(api.POST('/auth/local/login', { body: { email, password } }))}
          path={path}
        />
      )}
      {ways.local && isNew && (
        <AccountForm
          isNew
          submit={t('register')}
          request={(account) => body(api.POST('/auth/local/register', { body: account }))}
          path={path === '/' ? '/welcome' : path}
        />
      )}
      {ways.local && ways.providers.length > 0 && (
        <p className="my-5 flex items-center gap-3 text-ink-3 text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {t('or')}
        </p>
      )}
      <div className="space-y-2.5">
        {ways.providers.map((provider) => (
          <Button key={provider.id} asChild size="lg" className="w-full">
            <a
              href={apiUrl(`${provider.login_url}?${new URLSearchParams({ return_to: path })}`)}
              onClick={() => void sessionEnded()}
            >
              {t('with', { provider: provider.name })}
            </a>
          </Button>
        ))}
      </div>
      {ways.registration && (
        <p className="mt-6 text-ink-2">
          {t(isNew ? 'haveAccount' : 'noAccount')}{' '}
          <Link
            to="/sign-in"
            search={(search) => ({ ...search, error: undefined, as: isNew ? undefined : 'new' })}
            className="text-link underline underline-offset-3"
          >
            {t(isNew ? 'submit' : 'register')}
          </Link>
        </p>
      )}
    </>
  );
}
