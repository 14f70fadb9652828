import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, body, done, type Schema } from '@/shared/api/client';
import { providersQuery } from '@/shared/api/providers';
import { dateText } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';
import { ActionButton } from '@/shared/ui/action-button';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { QueryRows } from '@/shared/ui/query-list';
import { Row, Section } from '@/shared/ui/section';
import { useSubmit } from '@/shared/ui/use-submit';
import { accountKeys, identitiesQuery } from './queries';

/** Accounts at providers that can sign in; nothing where no provider is configured. */
export function Identities() {
  const { t } = useTranslation('settings');
  const identities = useQuery(identitiesQuery);
  const providers = useQuery(providersQuery).data?.providers ?? [];
  const link = useSubmit({
    request: (id: string) =>
      body(
        api.POST('/api/users/me/identities/{id}', {
          params: { path: { id } },
          body: { return_to: '/settings/sign-in' },
        }),
      ),
    onDone: ({ url }) => location.assign(url),
  });
  if (providers.length === 0 && identities.data?.length === 0) return null;
  const nameOf = (identity: Schema<'IdentityView'>) =>
    providers.find((provider) => provider.id === identity.provider)?.name ?? identity.issuer;
  const unlinked = providers.filter(
    (provider) => !identities.data?.some((identity) => identity.provider === provider.id),
  );
  return (
    <Section level={3} title={t('identities.title')} text={t('identities.text')}>
      <QueryRows query={identities} of={(all) => all} loading={2} empty={t('identities.none')}>
        {(identity) => <Linked key={identity.id} identity={identity} name={nameOf(identity)} />}
      </QueryRows>
      <div className="mt-3 flex flex-wrap gap-2">
        {unlinked.map((provider) => (
          <Button key={provider.id} isBusy={link.isBusy || link.isSuccess} onClick={() => link.submit(provider.id)}>
            {t('identities.link', { provider: provider.name })}
          </Button>
        ))}
      </div>
      {link.error && <ErrorState error={link.error} isInline className="mt-3" />}
    </Section>
  );
}

function Linked({ identity, name }: { identity: Schema<'IdentityView'>; name: string }) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const date = dateText(identity.created_at, language, 'medium');
  return (
    <Row
      title={name}
      details={[identity.email, t('identities.linkedSince', { date })].filter(Boolean).join(' · ')}
      action={
        <ActionButton
          request={() => done(api.DELETE('/api/users/me/identities/{id}', { params: { path: { id: identity.id } } }))}
          changes={[accountKeys.identities]}
          message={t('identities.unlinked', { provider: name })}
        >
          {t('identities.unlink')}
        </ActionButton>
      }
    />
  );
}
