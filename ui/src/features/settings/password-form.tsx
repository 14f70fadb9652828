import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api, done } from '@/shared/api/client';
import { meKeys, meQuery } from '@/shared/api/me';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { PasswordField } from '@/shared/ui/password-field';
import { Section } from '@/shared/ui/section';
import { useSubmit } from '@/shared/ui/use-submit';
import { accountKeys } from './queries';

/** Changes the password, or sets the first one of a user who signs in with a provider. */
export function PasswordForm() {
  const { t } = useTranslation(['settings', 'common']);
  const me = useQuery(meQuery).data;
  const form = useRef<HTMLFormElement>(null);
  const change = useSubmit({
    request: (form) => {
      const current = form.get('current_password');
      const current_password = current === null ? null : String(current);
      const change = { current_password, new_password: String(form.get('new_password')) };
      return done(api.PUT('/api/users/me/password', { body: change }));
    },
    changes: [meKeys.all, accountKeys.sessions],
    message: t('password.changed'),
    onDone: () => form.current?.reset(),
    fields: ['current_password', 'new_password'],
  });
  return (
    <Section level={3} title={t('password.title')} text={me?.has_password === false ? t('password.none') : undefined}>
      <form ref={form} onSubmit={change.onSubmit} className="max-w-sm space-y-4">
        {/* Password managers look for the account that a password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={me?.email ?? ''} readOnly hidden />
        {me?.has_password !== false && (
          <PasswordField
            label={t('password.current')}
            name="current_password"
            autoComplete="current-password"
            required
            error={change.problems.current_password}
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
          error={change.problems.new_password}
        />
        {change.error && <ErrorState error={change.error} isInline />}
        <Button type="submit" isBusy={change.isBusy}>
          {t(me?.has_password === false ? 'password.set' : 'password.change')}
        </Button>
      </form>
    </Section>
  );
}
