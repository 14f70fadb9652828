import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, body } from '@/shared/api/client';
import { itemKeys } from '@/shared/api/items';
import { useAction } from '@/shared/api/use-action';
import { type WatchedBlog, watchKeys } from '@/shared/api/watch';
import { Button } from '@/shared/ui/button';
import { useCheck } from './use-check';

/** The buttons that check a site now and subscribe to it. Their errors are toasts, so that no row moves. */
export function BlogActions({ blog }: { blog: WatchedBlog }) {
  const { t } = useTranslation('watch');
  const client = useQueryClient();
  const { id, name } = blog;
  const { check, isBusy } = useCheck(blog);
  const subscribe = useAction<void>({
    request: async () => {
      await body(api.POST('/api/watch/{id}/subscribe', { params: { path: { id } }, body: {} }));
      await Promise.all([watchKeys.all, itemKeys.lists].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
    done: t('subscribed', { name }),
  });
  return (
    <>
      {blog.can_check && (
        <Button size="sm" isBusy={isBusy} onClick={check} aria-label={t('checkOf', { name })}>
          {t('check')}
        </Button>
      )}
      {blog.is_operators && !blog.subscription_id && (
        <Button
          size="sm"
          isBusy={subscribe.isPending}
          onClick={() => subscribe.mutate()}
          aria-label={t('subscribeTo', { name })}
        >
          {t('subscribe')}
        </Button>
      )}
    </>
  );
}
