import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, body, done, type Schema } from '@/shared/api/client';
import { providersQuery } from '@/shared/api/providers';
import { localeOf } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { SkeletonLines } from '@/shared/ui/skeleton';
import { toast } from '@/shared/ui/toast-store';
import { Group, Row, Rows } from './group';
import { accountKeys, identitiesQuery } from './queries';

/** Accounts elsewhere that let one in; nothing at all where no provider is set up. */
export function Identities() {
  const { t } = useTranslation('settings');
  const identities = useQuery(identitiesQuery);
  const providers = useQuery(providersQuery).data?.providers ?? [];
  const link = useMutation({
    mutationFn: (id: string) =>
      body(
        api.POST('/api/users/me/identities/{id}', {
          params: { path: { id } },
          body: { return_to: '/settings/sign-in' },
        }),
      ),
    onSuccess: ({ url }) => location.assign(url),
  });
  if (providers.length === 0 && identities.data?.length === 0) return null;
  const nameOf = (identity: Schema<'IdentityView'>) =>
    providers.find((provider) => provider.id === identity.provider)?.name ?? identity.issuer;
  const unlinked = providers.filter(
    (provider) => !identities.data?.some((identity) => identity.provider === provider.id),
  );
  return (
    <Group title={t('identities.title')} text={t('identities.text')}>
      {identities.error && !identities.data ? (
        <ErrorState error={identities.error} onRetry={() => identities.refetch()} isInline />
      ) : !identities.data ? (
        <SkeletonLines lines={2} />
      ) : identities.data.length === 0 ? (
        <p className="text-ink-3">{t('identities.none')}</p>
      ) : (
        <Rows>
          {identities.data.map((identity) => (
            <Linked key={identity.id} identity={identity} name={nameOf(identity)} />
          ))}
        </Rows>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {unlinked.map((provider) => (
          <Button key={provider.id} isBusy={link.isPending || link.isSuccess} onClick={() => link.mutate(provider.id)}>
            {t('identities.link', { provider: provider.name })}
          </Button>
        ))}
      </div>
      {link.error && <ErrorState error={link.error} isInline className="mt-3" />}
    </Group>
  );
}

function Linked({ identity, name }: { identity: Schema<'IdentityView'>; name: string }) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const client = useQueryClient();
  const unlink = useMutation({
    mutationFn: () => done(api.DELETE('/api/users/me/identities/{id}', { params: { path: { id: identity.id } } })),
    onSuccess: () => {
      toast({ message: t('identities.unlinked', { provider: name }) });
      return client.invalidateQueries({ queryKey: accountKeys.identities });
    },
  });
  const date = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium' }).format(
    Date.parse(identity.created_at),
  );
  return (
    <>
      <Row
        title={name}
        details={[identity.email, t('identities.linkedSince', { date })].filter(Boolean).join(' · ')}
        action={
          <Button size="sm" isBusy={unlink.isPending} onClick={() => unlink.mutate()}>
            {t('identities.unlink')}
          </Button>
        }
      />
      {unlink.error && (
        <li className="pb-3">
          <ErrorState error={unlink.error} isInline />
        </li>
      )}
    </>
  );
}
