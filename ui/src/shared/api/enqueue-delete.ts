import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeleteChange } from '../offline/change';
import { toast, UNDO_MS } from '../ui/toast-store';
import { itemKeys } from './items';
import { enqueueChange, outbox } from './outbox';
import { folderKeys, type Subscription, subscriptionKeys } from './subscriptions';

/** A toast stays longer while the pointer is over it. This tab releases the change; another one sends it after this time. */
const GRACE_MS = 20_000;

/** Deletes a subscription or a folder: hidden at once, sent when it can no longer be undone. */
export function useEnqueueDelete() {
  const client = useQueryClient();
  return useCallback(
    (what: DeleteChange['what'], id: string, message: string) => {
      const held_until = Date.now() + UNDO_MS + GRACE_MS;
      const seq = enqueueChange({ kind: 'delete', what, id, held_until, shifts: {} }, ({ is }) => {
        if (is !== 'sent') return;
        // The items of a folder stay as they are.
        const others = what === 'subscriptions' ? [itemKeys.all, folderKeys.all] : [];
        for (const queryKey of [subscriptionKeys.all, ...others]) void client.invalidateQueries({ queryKey });
      });
      toast({ message, undo: () => outbox.withdraw(seq), settle: () => void outbox.release(seq) });
    },
    [client],
  );
}

/** Unsubscribes, and leaves the page of the feed. */
export function useUnsubscribe() {
  const { t } = useTranslation('reading');
  const navigate = useNavigate();
  const { feedId } = useParams({ strict: false });
  const enqueueDelete = useEnqueueDelete();
  return ({ id, feed_id, feed_title }: Subscription) => {
    if (feedId === feed_id) void navigate({ to: '/', search: { filter: 'all' } });
    enqueueDelete('subscriptions', id, t('sidebar.unsubscribed', { title: feed_title }));
  };
}
