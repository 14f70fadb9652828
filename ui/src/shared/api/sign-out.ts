import { useMutation } from '@tanstack/react-query';
import { t } from 'i18next';
import { problemText } from '../i18n/problem-text';
import { Problem } from '../lib/problem';
import { signedOut } from '../offline/session-user';
import { toast, toasts } from '../ui/toast-store';
import { api, done } from './client';
import { outbox } from './outbox';

/** Ends the session and deletes all data of the user in this browser. */
export function useSignOut() {
  return useMutation({
    mutationFn: async () => {
      // Also deletes that can still be undone: after the sign-out they could not be sent.
      toasts.settleAll();
      await outbox.flushAll();
      await done(api.POST('/auth/logout'));
    },
    onSuccess: () => leaveSession(),
    onError: (error) => {
      const isLost = error instanceof Problem && error.status === 0;
      const message = error instanceof Problem && !isLost ? problemText(error).message : t('signOutOffline');
      toast({ message, tone: 'bad' });
    },
  });
}

const MESSAGE = 'kawaraban.message';

/** Shows the message of the page before. Called once. */
export function showLeaveMessage(): void {
  const message = sessionStorage.getItem(MESSAGE);
  sessionStorage.removeItem(MESSAGE);
  if (message) toast({ message });
}

/** Deletes the data of the user and loads the sign-in page anew, so that nothing is left in memory. */
export async function leaveSession(message = ''): Promise<void> {
  await signedOut();
  sessionStorage.setItem(MESSAGE, message);
  location.replace('/sign-in');
}
