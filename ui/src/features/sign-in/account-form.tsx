import { useTranslation } from 'react-i18next';
import type { Schema } from '@/shared/api/client';
import { Problem } from '@/shared/lib/problem';
import { useCountdown } from '@/shared/lib/use-countdown';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { FormField } from '@/shared/ui/form-field';
import { PasswordField } from '@/shared/ui/password-field';
import { textOf, useSubmit } from '@/shared/ui/use-submit';
import { useEnter } from './use-enter';

type Account = { email: string; name: string; password: string };

type AccountFormProps = {
  /** A new account has a name and chooses its password. */
  isNew?: boolean;
  submit: string;
  request: (account: Account) => Promise<Schema<'UserView'>>;
  /** Where to go afterwards. */
  path: string;
};

/** E-mail address and password, and for a new account a name. */
export function AccountForm({ isNew = false, submit, request, path }: AccountFormProps) {
  const { t } = useTranslation(['signIn', 'common']);
  const enter = useEnter();
  const send = useSubmit({
    request: (form) =>
      request({
        email: textOf(form, 'email'),
        name: textOf(form, 'name'),
        password: String(form.get('password') ?? ''),
      }),
    onDone: (me) => enter(me, path, isNew),
    fields: ['email', 'name', 'password'],
  });
  const wait = useCountdown((send.error instanceof Problem && send.error.retryAfterSeconds) || 0);
  return (
    <form onSubmit={send.onSubmit} className="space-y-4">
      {send.error && <ErrorState error={send.error} isInline />}
      <FormField
        label={t('email')}
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        required
        autoFocus
        error={send.problems.email}
      />
      <PasswordField
        label={t(isNew ? 'newPassword' : 'password')}
        hint={isNew ? t('common:passwordHint') : undefined}
        name="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        minLength={isNew ? 8 : undefined}
        maxLength={1024}
        required
        error={send.problems.password}
      />
      {isNew && (
        <FormField
          label={t('name')}
          hint={t('nameHint')}
          name="name"
          autoComplete="name"
          maxLength={255}
          error={send.problems.name}
        />
      )}
      <Button
        type="submit"
        look="primary"
        size="lg"
        className="w-full"
        isBusy={send.isBusy || send.isSuccess}
        disabled={wait > 0}
      >
        {wait > 0 ? <span className="tabular">{t('common:wait', { count: wait })}</span> : submit}
      </Button>
    </form>
  );
}
