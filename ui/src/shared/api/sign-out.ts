import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, done } from './client';

/** Ends the session, forgets what was loaded, and goes to the sign-in page. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => done(api.POST('/auth/logout')),
    onSuccess: async () => {
      await navigate({ to: '/sign-in' });
      client.removeQueries({ type: 'inactive' });
    },
  });
}
