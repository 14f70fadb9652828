import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api, done, type Schema } from '@/shared/api/client';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { SkeletonLines } from '@/shared/ui/skeleton';
import { Time } from '@/shared/ui/time';
import { toast } from '@/shared/ui/toast-store';
import { Row, Rows, Tag } from './group';
import { NewToken } from './new-token';
import { accountKeys, tokensQuery } from './queries';

/** Keys for programs. Revoked at once and without undo: a key that leaked must be dead when the page says so. */
export function Tokens() {
  const { t } = useTranslation('settings');
  const tokens = useQuery(tokensQuery);
  return (
    <>
      <p className="mb-5 max-w-prose text-pretty text-ink-2">{t('tokens.text')}</p>
      <NewToken />
      {tokens.error && !tokens.data ? (
        <ErrorState error={tokens.error} onRetry={() => tokens.refetch()} isInline />
      ) : !tokens.data ? (
        <SkeletonLines lines={3} />
      ) : tokens.data.length === 0 ? (
        <EmptyState
          icon={<KeyRound aria-hidden />}
          title={t('tokens.none')}
          text={t('tokens.noneText')}
          className="py-8"
        />
      ) : (
        <Rows>
          {tokens.data.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </Rows>
      )}
    </>
  );
}

function TokenRow({ token }: { token: Schema<'TokenView'> }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => done(api.DELETE('/api/users/me/tokens/{id}', { params: { path: { id: token.id } } })),
    onSuccess: () => {
      client.setQueryData(tokensQuery.queryKey, (all) => all?.filter((one) => one.id !== token.id));
      toast({ message: t('tokens.revoked', { name: token.name }) });
    },
    onError: () => client.invalidateQueries({ queryKey: accountKeys.tokens }),
  });
  return (
    <Row
      title={
        <>
          <span className="[overflow-wrap:anywhere]">{token.name}</span>
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
        <Button size="sm" look="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          {t('tokens.revoke')}
        </Button>
      }
    />
  );
}
