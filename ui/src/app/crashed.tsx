import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Problem } from '@/shared/lib/problem';
import { Button } from '@/shared/ui/button';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';

/** A page that threw an error: the message of the server, or a general one if the page has a fault. */
export function Crashed({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  if (error instanceof Problem) {
    return (
      <main>
        <ErrorState isPage error={error} onRetry={reset} className="pt-[18dvh]" />
      </main>
    );
  }
  return (
    <main>
      <EmptyState
        isPage
        title={t('crashed.title')}
        text={t('crashed.text')}
        action={
          <Button look="primary" onClick={() => location.reload()}>
            {t('crashed.action')}
          </Button>
        }
      />
    </main>
  );
}
