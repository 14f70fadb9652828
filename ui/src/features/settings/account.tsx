import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, LogOut } from 'lucide-react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { api, apiUrl, body, type Schema } from '@/shared/api/client';
import { meQuery } from '@/shared/api/me';
import { Problem } from '@/shared/api/problem';
import { useSignOut } from '@/shared/api/sign-out';
import { localeOf } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { Field } from '@/shared/ui/field';
import { SkeletonLines } from '@/shared/ui/skeleton';
import { toast } from '@/shared/ui/toast-store';
import { DeleteAccount } from './delete-account';
import { Group, Row, Rows, Tag } from './group';

/** Who one is here, taking one's data along, and leaving. */
export function Account() {
  const { t } = useTranslation('settings');
  const me = useQuery(meQuery);
  const signOut = useSignOut();
  const language = useLanguage();
  if (!me.data) return <SkeletonLines />;
  const date = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long' }).format(
    Date.parse(me.data.created_at),
  );
  return (
    <>
      <div className="mb-8">
        <Rows>
          <Row
            title={
              <>
                {me.data.email}
                <Tag>{t(me.data.role === 'owner' ? 'account.owner' : 'account.member')}</Tag>
              </>
            }
            details={t('account.since', { date })}
            action={
              <Button isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
                <LogOut aria-hidden className="size-4" />
                {t('account.signOut')}
              </Button>
            }
          />
        </Rows>
      </div>
      <NameForm me={me.data} />
      <Group title={t('account.exportTitle')} text={t('account.exportText')}>
        <Button asChild>
          <a href={apiUrl('/api/users/me/export')} download>
            <Download aria-hidden className="size-4" />
            {t('account.exportAction')}
          </a>
        </Button>
      </Group>
      <DeleteAccount email={me.data.email} />
    </>
  );
}

function NameForm({ me }: { me: Schema<'UserView'> }) {
  const { t } = useTranslation(['settings', 'common']);
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: (name: string) => body(api.PATCH('/api/users/me', { body: { name } })),
    onSuccess: (changed) => {
      client.setQueryData(meQuery.queryKey, changed);
      toast({ message: t('common:saved') });
    },
  });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    rename.mutate(String(new FormData(event.currentTarget).get('name') ?? '').trim());
  };
  const fieldError = rename.error instanceof Problem ? rename.error.fields.name : undefined;
  return (
    <form onSubmit={save} className="mb-10 space-y-3">
      <div className="flex items-end gap-2">
        <Field
          key={me.name}
          label={t('account.name')}
          name="name"
          defaultValue={me.name}
          maxLength={255}
          autoComplete="name"
          error={fieldError}
          className="max-w-sm flex-1"
        />
        <Button type="submit" className="h-10 max-md:h-11" isBusy={rename.isPending}>
          {t('common:save')}
        </Button>
      </div>
      {rename.error && !fieldError && <ErrorState error={rename.error} isInline />}
    </form>
  );
}
