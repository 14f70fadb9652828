import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchFullText, type ItemDetail, itemKeys } from '../api/items';
import { useKeys } from '../keys/use-keys';

/** Which text of an item is shown: the feed's own, or the whole text from its page, which is fetched when it is asked for. */
export function useFullText(item: ItemDetail | undefined) {
  const client = useQueryClient();
  // The reader's choice for an item. The component may go on with another item.
  const [choice, setChoice] = useState<{ id: string; isWanted: boolean } | null>(null);
  const isWanted = choice && choice.id === item?.id ? choice.isWanted : null;
  const fetching = useMutation({
    mutationFn: fetchFullText,
    onSuccess: (found) => client.setQueryData(itemKeys.detail(found.id), found),
  });
  const isShown = Boolean(item?.full_text) && (isWanted ?? item?.prefers_full_text ?? false);
  const toggle = () => {
    if (!item?.link || fetching.isPending) return;
    setChoice({ id: item.id, isWanted: !isShown });
    if (!item.full_text) fetching.mutate(item.id);
  };
  useKeys({ fullText: Boolean(item?.link) && toggle });
  return {
    html: isShown ? item?.full_text : (item?.content ?? item?.summary),
    isShown,
    isBusy: fetching.isPending,
    isWanted,
    /** Why there is no whole text, after the reader has asked for it, or if all items of the feed should have one. */
    problem: isWanted || item?.prefers_full_text ? item?.full_text_error : null,
    error: fetching.variables === item?.id ? fetching.error : null,
    toggle,
  };
}
