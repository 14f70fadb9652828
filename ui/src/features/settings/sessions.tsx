import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, done, type Schema } from '@/shared/api/client';
import type { settings } from '@/shared/i18n/en/settings';
import { ActionButton } from '@/shared/ui/action-button';
import { QueryRows } from '@/shared/ui/query-list';
import { Row, Section, Tag } from '@/shared/ui/section';
import { Time } from '@/shared/ui/time';
import { browserName } from './browser-name';
import { accountKeys, sessionsQuery } from './queries';

type Session = Schema<'SessionView'>;
type Method = keyof (typeof settings)['sessions']['methods'];

/** The browsers that are signed in, this one first. There is no undo: the other browser can sign in again. */
export function Sessions() {
  const { t } = useTranslation('settings');
  const sessions = useQuery(sessionsQuery);
  return (
    <Section level={3} title={t('sessions.title')}>
      <QueryRows query={sessions} of={(all) => all.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))}>
        {(session) => <SessionRow key={session.id} session={session} />}
      </QueryRows>
      {sessions.data && sessions.data.length > 1 && (
        <div className="mt-3 space-y-3">
          <ActionButton
            size="md"
            request={() => done(api.DELETE('/api/users/me/sessions'))}
            changes={[accountKeys.sessions]}
            message={t('sessions.othersEnded')}
          >
            {t('sessions.endOthers')}
          </ActionButton>
        </div>
      )}
    </Section>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { t } = useTranslation('settings');
  const method = session.method && t(`sessions.methods.${session.method as Method}`, { defaultValue: '' });
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
          <ActionButton
            request={() => done(api.DELETE('/api/users/me/sessions/{id}', { params: { path: { id: session.id } } }))}
            changes={[accountKeys.sessions]}
            message={t('sessions.ended')}
          >
            {t('sessions.end')}
          </ActionButton>
        )
      }
    />
  );
}
