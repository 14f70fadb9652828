import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api, done } from '@/shared/api/client';
import { meKeys, meQuery } from '@/shared/api/me';
import { Problem } from '@/shared/api/problem';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { PasswordField } from '@/shared/ui/password-field';
import { toast } from '@/shared/ui/toast-store';
import { Group } from './group';
import { accountKeys } from './queries';

type Change = { current_password: string | null; new_password: string };

/** Another password; or a first one, for people who come through a provider. */
export function PasswordForm() {
  const { t } = useTranslation(['settings', 'common']);
  const client = useQueryClient();
  const me = useQuery(meQuery).data;
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation({
    mutationFn: (change: Change) => done(api.PUT('/api/users/me/password', { body: change })),
    onSuccess: () => {
      form.current?.reset();
      toast({ message: t('password.changed') });
      void client.invalidateQueries({ queryKey: meKeys.all });
      void client.invalidateQueries({ queryKey: accountKeys.sessions });
    },
  });
  const fields = change.error instanceof Problem ? change.error.fields : {};
  const isInFields = 'current_password' in fields || 'new_password' in fields;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const current = data.get('current_password');
    change.mutate({
      current_password: current === null ? null : String(current),
      new_password: String(data.get('new_password')),
    });
  };
  return (
    <Group title={t('password.title')} text={me?.has_password === false ? t('password.none') : undefined}>
      <form ref={form} onSubmit={send} className="max-w-sm space-y-4">
        {/* Password managers look for the account that a password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={me?.email ?? ''} readOnly hidden />
        {me?.has_password !== false && (
          <PasswordField
            label={t('password.current')}
            name="current_password"
            autoComplete="current-password"
            required
            error={fields.current_password}
          />
        )}
        <PasswordField
          label={t('password.new')}
          hint={t('common:passwordHint')}
          name="new_password"
          autoComplete="new-password"
          minLength={8}
          maxLength={1024}
          required
          error={fields.new_password}
        />
        {change.error && !isInFields && <ErrorState error={change.error} isInline />}
        <Button type="submit" isBusy={change.isPending}>
          {t(me?.has_password === false ? 'password.set' : 'password.change')}
        </Button>
      </form>
    </Group>
  );
}
