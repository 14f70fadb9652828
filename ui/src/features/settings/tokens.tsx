import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api, done, type Schema } from '@/shared/api/client';
import { ActionButton } from '@/shared/ui/action-button';
import { EmptyState } from '@/shared/ui/empty-state';
import { QueryRows } from '@/shared/ui/query-list';
import { Row, Tag } from '@/shared/ui/section';
import { Time } from '@/shared/ui/time';
import { NewToken } from './new-token';
import { accountKeys, tokensQuery } from './queries';

/** Tokens for programs. Revoking has no undo: a leaked token must be invalid when the page says so. */
export function Tokens() {
  const { t } = useTranslation('settings');
  return (
    <>
      <p className="mb-5 max-w-prose text-pretty text-ink-2">{t('tokens.text')}</p>
      <NewToken />
      <QueryRows
        query={useQuery(tokensQuery)}
        of={(all) => all}
        empty={
          <EmptyState icon={<KeyRound aria-hidden />} title={t('tokens.none')} text={t('tokens.noneText')} isSmall />
        }
      >
        {(token) => <TokenRow key={token.id} token={token} />}
      </QueryRows>
    </>
  );
}

function TokenRow({ token }: { token: Schema<'TokenView'> }) {
  const { t } = useTranslation('settings');
  return (
    <Row
      title={
        <>
          {token.name}
          <Tag>{t(`tokens.${token.scope}`)}</Tag>
        </>
      }
      details={
        token.last_used_at ? (
          <>
            {t('tokens.used')} <Time at={token.last_used_at} style="long" />
          </>
        ) : (
          t('tokens.never')
        )
      }
      action={
        <ActionButton
          look="danger"
          request={() => done(api.DELETE('/api/users/me/tokens/{id}', { params: { path: { id: token.id } } }))}
          changes={[accountKeys.tokens]}
          message={t('tokens.revoked', { name: token.name })}
        >
          {t('tokens.revoke')}
        </ActionButton>
      }
    />
  );
}
