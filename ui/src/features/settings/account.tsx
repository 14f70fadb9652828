import { useQuery } from '@tanstack/react-query';
import { Download, LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api, body, type Schema } from '@/shared/api/client';
import { meKeys, meQuery } from '@/shared/api/me';
import { useSignOut } from '@/shared/api/sign-out';
import { dateText } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';
import { apiUrl } from '@/shared/lib/api-url';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { FormField } from '@/shared/ui/form-field';
import { Row, Rows, Section, Tag } from '@/shared/ui/section';
import { SkeletonLines } from '@/shared/ui/skeleton';
import { textOf, useSubmit } from '@/shared/ui/use-submit';
import { DeleteAccount } from './delete-account';

/** The account itself, its data as a file, and its deletion. */
export function Account() {
  const { t } = useTranslation('settings');
  const me = useQuery(meQuery);
  const signOut = useSignOut();
  const language = useLanguage();
  if (!me.data) return <SkeletonLines />;
  return (
    <>
      <Rows className="mb-8">
        <Row
          title={
            <>
              {me.data.email}
              <Tag>{t(me.data.role === 'owner' ? 'account.owner' : 'account.member')}</Tag>
            </>
          }
          details={t('account.since', { date: dateText(me.data.created_at, language, 'long') })}
          action={
            <Button isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
              <LogOut aria-hidden className="size-4" />
              {t('account.signOut')}
            </Button>
          }
        />
      </Rows>
      <NameForm me={me.data} />
      <Section level={3} title={t('account.exportTitle')} text={t('account.exportText')}>
        <Button asChild>
          <a href={apiUrl('/api/users/me/export')} download>
            <Download aria-hidden className="size-4" />
            {t('account.exportAction')}
          </a>
        </Button>
      </Section>
      <DeleteAccount email={me.data.email} />
    </>
  );
}

function NameForm({ me }: { me: Schema<'UserView'> }) {
  const { t } = useTranslation(['settings', 'common']);
  const rename = useSubmit({
    request: (form) => body(api.PATCH('/api/users/me', { body: { name: textOf(form, 'name') } })),
    changes: [meKeys.all],
    message: t('common:saved'),
    fields: ['name'],
  });
  return (
    <form onSubmit={rename.onSubmit} className="mb-10 space-y-3">
      <div className="flex items-end gap-2">
        <FormField
          key={me.name}
          label={t('account.name')}
          name="name"
          defaultValue={me.name}
          maxLength={255}
          autoComplete="name"
          error={rename.problems.name}
          className="max-w-sm flex-1"
        />
        <Button type="submit" size="field" isBusy={rename.isBusy}>
          {t('common:save')}
        </Button>
      </div>
      {rename.error && <ErrorState error={rename.error} isInline />}
    </form>
  );
}
