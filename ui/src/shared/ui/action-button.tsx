import type { ComponentProps } from 'react';
import { Button } from './button';
import { ErrorState } from './error-state';
import { useSubmit } from './use-submit';

type Submit = Parameters<typeof useSubmit<unknown, void>>[0];
type ActionButtonProps = Pick<Submit, 'request' | 'changes' | 'message'> &
  Pick<ComponentProps<typeof Button>, 'size' | 'look' | 'children'>;

/** A button that sends a request. Its error is shown in the next line of the row or the box that wraps it. */
export function ActionButton({ request, changes, message, size = 'sm', ...rest }: ActionButtonProps) {
  const { submit, isBusy, error } = useSubmit<unknown, void>({ request, changes, message });
  return (
    <>
      <Button size={size} isBusy={isBusy} onClick={() => submit()} {...rest} />
      {error && <ErrorState error={error} isInline className="w-full" />}
    </>
  );
}
