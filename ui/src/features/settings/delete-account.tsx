import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, done } from '@/shared/api/client';
import { leaveSession } from '@/shared/api/sign-out';
import { Button } from '@/shared/ui/button';
import { Dialog, DialogActions, DialogBody } from '@/shared/ui/dialog';
import { ErrorState } from '@/shared/ui/error-state';
import { FormField } from '@/shared/ui/form-field';
import { Section } from '@/shared/ui/section';
import { useSubmit } from '@/shared/ui/use-submit';

/** The only action that asks first, because it cannot be undone. */
export function DeleteAccount({ email }: { email: string }) {
  const { t } = useTranslation('settings');
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const leave = useSubmit({
    request: () => done(api.DELETE('/api/users/me')),
    onDone: () => leaveSession(t('account.deleted')),
  });
  const isSame = typed.trim().toLowerCase() === email.toLowerCase();
  const close = () => {
    setOpen(false);
    setTyped('');
    leave.reset();
  };
  return (
    <Section level={3} title={t('account.deleteTitle')} text={t('account.deleteText')}>
      <Button look="danger" onClick={() => setOpen(true)}>
        {t('account.deleteAction')}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={t('account.deleteTitle')}>
        <form className="contents" onSubmit={leave.onSubmit}>
          <DialogBody className="space-y-4">
            <p>{t('account.deleteText')}</p>
            <FormField
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
          <DialogActions
            onCancel={close}
            submit={t('account.deleteFinal')}
            look="danger"
            disabled={!isSame}
            isBusy={leave.isBusy}
          />
        </form>
      </Dialog>
    </Section>
  );
}
