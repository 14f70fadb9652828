import { useSearch } from '@tanstack/react-router';
import { signInErrorText } from '@/shared/i18n/sign-in-error';
import { Notice } from '@/shared/ui/notice';
import { Identities } from './identities';
import { PasswordForm } from './password-form';
import { Sessions } from './sessions';

/** The sign-in methods of the user, and the browsers that are signed in. */
export function SignInMethods() {
  const { error } = useSearch({ from: '/layout/settings/$section' });
  return (
    <>
      {error && <Notice tone="bad" text={signInErrorText(error)} className="mb-6" />}
      <PasswordForm />
      <Identities />
      <Sessions />
    </>
  );
}
