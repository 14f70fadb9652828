import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/shared/ui/button';
import { ErrorState } from '@/shared/ui/error-state';
import type { Adding } from './use-add-feed';

type AddErrorProps = { adding: Adding; onRetry?: () => void; action?: ReactNode };

/** Why it was not added. A feed that the user has already can be opened. */
export function AddError({ adding: { error, existing }, onRetry, action }: AddErrorProps) {
  const { t } = useTranslation('reader');
  const navigate = useNavigate();
  const open = existing && (
    <Button size="sm" onClick={() => navigate({ to: '/feeds/$feedId', params: { feedId: existing } })}>
      {t('add.open')}
    </Button>
  );
  return <ErrorState error={error} isInline onRetry={existing ? undefined : onRetry} action={open || action} />;
}
