import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Problem } from '../lib/problem';
import { toast } from './toast-store';

type Options<T, A> = {
  request: (input: A) => Promise<T>;
  /** The queries that it changes. */
  changes?: readonly QueryKey[];
  /** Shown after success. */
  message?: string;
  onDone?: (answer: T) => unknown;
  /** The fields of the form, by their name in the API: errors of these are shown there. */
  fields?: readonly string[];
};

/**
 * A request of a form or a button. Afterwards the changed queries are fetched again, then the message is shown. `error` is an
 * error that no field shows. A form's `onSubmit` passes its `FormData`; a button calls `submit`.
 */
export function useSubmit<T, A = FormData>({ request, changes = [], message, onDone, fields = [] }: Options<T, A>) {
  const client = useQueryClient();
  const { mutate, error, data, reset, isPending, isSuccess } = useMutation({
    mutationFn: request,
    // The queries are fetched first: `onDone` may show a page that uses them.
    onSettled: async (answer, error) => {
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })));
      if (error) return;
      if (message) toast({ message });
      await onDone?.(answer as T);
    },
  });
  const problems = error instanceof Problem ? error.fields : {};
  const isShown = fields.some((name) => name in problems);
  return {
    submit: mutate,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      mutate(new FormData(event.currentTarget) as A);
    },
    isBusy: isPending,
    isSuccess,
    data,
    /** The errors of single fields. */
    problems,
    error: isShown ? null : error,
    reset,
  };
}

/** A field of a form as text, without spaces around it. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
