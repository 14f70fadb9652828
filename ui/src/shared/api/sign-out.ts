import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from 'i18next';
import { problemText } from '../i18n/problem-text';
import { hasLeft } from '../offline/owner';
import { toast } from '../ui/toast-store';
import { api, done } from './client';
import { pending } from './pending';
import { Problem } from './problem';

/** Ends the session, forgets what was loaded or kept, and goes to the sign-in page. */
export function useSignOut() {
  const forget = useForget();
  return useMutation({
    mutationFn: async () => {
      // Nobody could send it afterwards.
      await pending.flush();
      await done(api.POST('/auth/logout'));
    },
    onSuccess: forget,
    onError: (error) => {
      const isLost = error instanceof Problem && error.status === 0;
      const message = error instanceof Problem && !isLost ? problemText(error).message : t('signOutOffline');
      toast({ message, tone: 'bad' });
    },
  });
}

/** What follows when there is nobody here any more. */
export function useForget(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await hasLeft();
    await navigate({ to: '/sign-in' });
    client.removeQueries({ type: 'inactive' });
  };
}
