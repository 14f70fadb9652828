import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, done, type Schema } from '@/shared/api/client';
import type { settings } from '@/shared/i18n/en/settings';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { SkeletonLines } from '@/shared/ui/skeleton';
import { Time } from '@/shared/ui/time';
import { toast } from '@/shared/ui/toast-store';
import { browserName } from './browser-name';
import { Group, Row, Rows, Tag } from './group';
import { accountKeys, sessionsQuery } from './queries';

type Session = Schema<'SessionView'>;
type Method = keyof (typeof settings)['sessions']['methods'];
const methods = { password: true, setup: true, registration: true, google: true, oidc: true } as const satisfies Record<
  Method,
  true
>;

/** The browsers that are signed in, this one first. Ending one is not taken back: whoever is there signs in again. */
export function Sessions() {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const endOthers = useMutation({
    mutationFn: () => done(api.DELETE('/api/users/me/sessions')),
    onSuccess: () => {
      toast({ message: t('sessions.othersEnded') });
      return client.invalidateQueries({ queryKey: accountKeys.sessions });
    },
  });
  const sorted = [...(sessions.data ?? [])].sort((a, b) => Number(b.is_current) - Number(a.is_current));
  return (
    <Group title={t('sessions.title')}>
      {sessions.error && !sessions.data ? (
        <ErrorState error={sessions.error} onRetry={() => sessions.refetch()} isInline />
      ) : !sessions.data ? (
        <SkeletonLines lines={3} />
      ) : (
        <Rows>
          {sorted.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </Rows>
      )}
      {sorted.length > 1 && (
        <Button className="mt-3" isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {t('sessions.endOthers')}
        </Button>
      )}
      {endOthers.error && <ErrorState error={endOthers.error} isInline className="mt-3" />}
    </Group>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => done(api.DELETE('/api/users/me/sessions/{id}', { params: { path: { id: session.id } } })),
    onSuccess: () => {
      client.setQueryData(sessionsQuery.queryKey, (all) => all?.filter((one) => one.id !== session.id));
      toast({ message: t('sessions.ended') });
    },
    onError: () => client.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
  const method = session.method && session.method in methods ? t(`sessions.methods.${session.method as Method}`) : null;
  return (
    <Row
      title={
        <>
          <span title={session.user_agent}>{browserName(session.user_agent) ?? t('sessions.unknown')}</span>
          {session.is_current && <Tag>{t('sessions.current')}</Tag>}
        </>
      }
      details={
        <>
          {[session.address, method].filter(Boolean).join(' · ')}
          {' · '}
          {t('sessions.seen')} <Time at={session.seen_at} style="long" />
        </>
      }
      action={
        !session.is_current && (
          <Button size="sm" isBusy={end.isPending} onClick={() => end.mutate()}>
            {t('sessions.end')}
          </Button>
        )
      }
    />
  );
}
