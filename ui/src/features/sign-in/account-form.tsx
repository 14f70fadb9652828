import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '@/shared/api/problem';
import { useCountdown } from '@/shared/lib/use-countdown';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { Field } from '@/shared/ui/field';
import { PasswordField } from '@/shared/ui/password-field';

export type Account = { email: string; name: string; password: string };

type AccountFormProps = {
  /** A new account has a name and chooses its password; an old one shows it. */
  isNew: boolean;
  submit: string;
  onSubmit: (account: Account) => void;
  isBusy: boolean;
  error: unknown;
  children?: ReactNode;
};

/** E-mail address and password, and for new people a name. What the server says about a field stands at the field. */
export function AccountForm({ isNew, submit, onSubmit, isBusy, error, children }: AccountFormProps) {
  const { t } = useTranslation(['signIn', 'common']);
  const problem = error instanceof Problem ? error : null;
  const fields = problem?.fields ?? {};
  const wait = useCountdown(problem?.retryAfterSeconds ?? 0);
  const isInFields = ['email', 'name', 'password'].some((name) => name in fields);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '');
    onSubmit({ email: text('email').trim(), name: text('name').trim(), password: text('password') });
  };
  return (
    <form onSubmit={send} className="space-y-4">
      {error !== null && error !== undefined && !isInFields && <ErrorState error={error} isInline />}
      <Field
        label={t('email')}
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        required
        autoFocus
        error={fields.email}
      />
      <PasswordField
        label={t(isNew ? 'newPassword' : 'password')}
        hint={isNew ? t('common:passwordHint') : undefined}
        name="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        minLength={isNew ? 8 : undefined}
        maxLength={1024}
        required
        error={fields.password}
      />
      {isNew && (
        <Field
          label={t('name')}
          hint={t('nameHint')}
          name="name"
          autoComplete="name"
          maxLength={255}
          error={fields.name}
        />
      )}
      <Button type="submit" look="primary" size="lg" className="w-full" isBusy={isBusy} disabled={wait > 0}>
        {wait > 0 ? <span className="tabular">{t('common:wait', { count: wait })}</span> : submit}
      </Button>
      {children}
    </form>
  );
}
