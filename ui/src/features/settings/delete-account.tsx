import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, done } from '@/shared/api/client';
import { leaveSession } from '@/shared/api/sign-out';
import { Button } from '@/shared/ui/button';
import { Dialog, DialogActions, DialogBody } from '@/shared/ui/dialog';
import { ErrorState } from '@/shared/ui/error-state';
import { Field } from '@/shared/ui/field';
import { Group } from './group';

/** The one act that asks first: nothing could take it back. */
export function DeleteAccount({ email }: { email: string }) {
  const { t } = useTranslation(['settings', 'common']);
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const leave = useMutation({
    mutationFn: () => done(api.DELETE('/api/users/me')),
    onSuccess: () => leaveSession(t('account.deleted')),
  });
  const isSame = typed.trim().toLowerCase() === email.toLowerCase();
  const close = () => {
    setOpen(false);
    setTyped('');
    leave.reset();
  };
  return (
    <Group title={t('account.deleteTitle')} text={t('account.deleteText')}>
      <Button look="danger" onClick={() => setOpen(true)}>
        {t('account.deleteAction')}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={t('account.deleteTitle')}>
        <form
          className="contents"
          onSubmit={(event) => {
            event.preventDefault();
            if (isSame) leave.mutate();
          }}
        >
          <DialogBody className="space-y-4">
            <p>{t('account.deleteText')}</p>
            <Field
              label={t('account.deleteConfirm', { email })}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              inputMode="email"
              data-autofocus
            />
            {leave.error && <ErrorState error={leave.error} isInline />}
          </DialogBody>
          <DialogActions>
            <Button onClick={close}>{t('common:cancel')}</Button>
            <Button type="submit" look="danger" disabled={!isSame} isBusy={leave.isPending}>
              {t('account.deleteFinal')}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </Group>
  );
}
