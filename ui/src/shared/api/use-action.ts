import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { t } from 'i18next';
import { problemText } from '../i18n/problem-text';
import { Problem } from '../lib/problem';
import { toast } from '../ui/toast-store';
import { folderKeys, subscriptionKeys } from './subscriptions';

type Action<Input> = {
  request: (input: Input) => Promise<unknown>;
  /** Shows the result before the server answers. */
  optimistic?: (client: QueryClient, input: Input) => void;
  /** Offers to undo it, with a message. */
  undo?: (input: Input) => { message: string; undo: () => void } | '' | undefined;
  /** A message after success. */
  done?: string;
};

const keys = [subscriptionKeys.all, folderKeys.all];

/** A write that needs a connection, on subscriptions or folders. Writes run one after the other. See docs/adr/0018. */
export function useAction<Input>({ request, optimistic, undo, done }: Action<Input>) {
  const client = useQueryClient();
  const refetch = () => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  return useMutation({
    scope: { id: 'actions' },
    mutationFn: request,
    onMutate: (input: Input) => {
      // An answer that is on its way would overwrite it.
      if (optimistic) for (const queryKey of keys) void client.cancelQueries({ queryKey });
      optimistic?.(client, input);
      const offer = undo?.(input);
      if (offer) toast(offer);
    },
    onSuccess: () => {
      if (done) toast({ message: done });
    },
    onError: (error) =>
      toast({
        message: error instanceof Problem ? problemText(error).message : t('reading:sidebar.notChanged'),
        tone: 'bad',
      }),
    onSettled: refetch,
  });
}
