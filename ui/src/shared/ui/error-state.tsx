import { CircleAlert, CloudOff, LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../i18n/problem-text';
import { cn } from '../lib/cn';
import { Problem, type ProblemCategory } from '../lib/problem';
import { useCountdown } from '../lib/use-countdown';
import { Button } from './button';

const icons = {
  auth: <LockKeyhole aria-hidden />,
  validation: <CircleAlert aria-hidden />,
  feed: <CircleAlert aria-hidden />,
  system: <CircleAlert aria-hidden />,
  connection: <CloudOff aria-hidden />,
} as const satisfies Record<ProblemCategory, ReactNode>;

const unexpected = new Problem({ status: 0, code: 'unexpected', category: 'system' });

type ErrorStateProps = {
  error: unknown;
  onRetry?: () => void;
  /** Another action than a retry. */
  action?: ReactNode;
  /** A box within a page, rather than the whole page. */
  isInline?: boolean;
  /** It is the whole page: its message is the heading. */
  isPage?: boolean;
  className?: string;
};

/** An error: its category, what happened, what to do, and a button. */
export function ErrorState({ error, onRetry, action, isInline = false, isPage = false, className }: ErrorStateProps) {
  const { t } = useTranslation();
  const problem = error instanceof Problem ? error : unexpected;
  const wait = useCountdown(problem.retryAfterSeconds ?? 0);
  const { message, action: advice } = problemText(problem);
  const Message = isPage ? 'h1' : 'p';
  return (
    <div
      className={cn(
        'flex animate-fade-in gap-3',
        isInline
          ? 'rounded-lg border border-bad/30 bg-bad-soft p-3.5'
          : 'mx-auto max-w-md flex-col items-center px-6 py-16 text-center',
        className,
      )}
    >
      <div className={cn('text-bad', isInline ? 'pt-0.5 [&_svg]:size-4.5' : '[&_svg]:size-8 [&_svg]:stroke-[1.5]')}>
        {icons[problem.category]}
      </div>
      <div className="min-w-0">
        {/* Does not contain the button: screen readers would read its countdown every second. */}
        <div role="alert">
          {!isInline && <p className="mb-1 text-ink-3 text-sm">{t(`categories.${problem.category}`)}</p>}
          <Message className={cn('font-semibold', !isInline && 'text-lg')}>{message}</Message>
          {advice && (
            <p className={cn('text-ink-2', isInline ? 'text-pretty text-sm' : 'mt-1.5 text-balance')}>{advice}</p>
          )}
        </div>
        {(onRetry || action) && (
          <div className={cn('flex flex-wrap gap-2', isInline ? 'mt-2.5' : 'mt-5 justify-center')}>
            {onRetry && (
              <Button size={isInline ? 'sm' : 'md'} onClick={onRetry} disabled={wait > 0}>
                {wait > 0 ? <span className="tabular">{t('wait', { count: wait })}</span> : t('retry')}
              </Button>
            )}
            {action}
          </div>
        )}
      </div>
    </div>
  );
}
