import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, done } from '@/shared/api/client';
import { useAction } from '@/shared/api/use-action';
import { type WatchedBlog, watchKeys } from '@/shared/api/watch';
import { toast } from '@/shared/ui/toast-store';

const POLL_MS = 1_500;
/** A check that takes longer is no longer waited for. */
const PATIENCE_MS = 30_000;

/** What a check has found; `late` for one that is not finished in time. */
type Result = 'changed' | 'same' | 'failed' | 'late';

export function resultOf(before: WatchedBlog, after: WatchedBlog): Result {
  if (after.last_change_at !== before.last_change_at) return 'changed';
  return after.state === 'failing' || after.state === 'stopped' ? 'failed' : 'same';
}

/** Has a site checked now, waits for the result and says it. */
export function useCheck(blog: WatchedBlog) {
  const { t } = useTranslation('watch');
  const client = useQueryClient();
  const [before, setBefore] = useState<WatchedBlog | null>(null);
  const { id, name } = blog;
  const { mutate, isPending } = useAction<void>({
    request: () => done(api.POST('/api/watch/{id}/check', { params: { path: { id } } })),
  });

  const isWaiting = before !== null;
  const say = useRef((_: Result) => {});
  say.current = (result) => toast({ message: t(`checked.${result}`, { name }) });
  useEffect(() => {
    if (!isWaiting) return;
    const poll = setInterval(() => void client.invalidateQueries({ queryKey: watchKeys.all }), POLL_MS);
    const end = setTimeout(() => {
      setBefore(null);
      say.current('late');
    }, PATIENCE_MS);
    return () => {
      clearInterval(poll);
      clearTimeout(end);
    };
  }, [isWaiting, client]);
  useEffect(() => {
    if (!before || blog.last_check_at === before.last_check_at) return;
    setBefore(null);
    say.current(resultOf(before, blog));
  }, [before, blog]);

  return { check: () => mutate(undefined, { onSuccess: () => setBefore(blog) }), isBusy: isPending || isWaiting };
}
