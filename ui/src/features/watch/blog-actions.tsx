import { useTranslation } from 'react-i18next';
import { body } from '@/shared/api/client';
import { itemKeys } from '@/shared/api/items';
import { subscriptionKeys } from '@/shared/api/subscriptions';
import { type WatchedBlog, watchApi, watchKeys } from '@/shared/api/watch';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import { useSubmit } from '@/shared/ui/use-submit';
import { useCheck } from './use-check';

/** The buttons that check a site now and subscribe to it. An error is shown in the next line of the box that wraps them. */
export function BlogActions({ blog }: { blog: WatchedBlog }) {
  const { t } = useTranslation('watch');
  const { id, name } = blog;
  const checking = useCheck(blog);
  const subscribe = useSubmit<unknown, void>({
    request: () => body(watchApi.POST('/api/watch/{id}/subscribe', { params: { path: { id } }, body: {} })),
    changes: [watchKeys.all, subscriptionKeys.all, itemKeys.lists],
    message: t('subscribed', { name }),
  });
  const error = checking.error ?? subscribe.error;
  return (
    <>
      {blog.can_check && (
        <Button size="sm" isBusy={checking.isBusy} onClick={checking.check} aria-label={t('checkOf', { name })}>
          {t('check')}
        </Button>
      )}
      {blog.is_operators && !blog.subscription_id && (
        <Button
          size="sm"
          isBusy={subscribe.isBusy}
          onClick={() => subscribe.submit()}
          aria-label={t('subscribeTo', { name })}
        >
          {t('subscribe')}
        </Button>
      )}
      {error && <ErrorState error={error} isInline className="order-last w-full" />}
    </>
  );
}
