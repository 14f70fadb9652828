import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../lib/cn';

type NoticeProps = { tone?: 'plain' | 'bad'; title?: string; text: ReactNode; className?: string };

/** A short message in a box. */
export function Notice({ tone = 'plain', title, text, className }: NoticeProps) {
  const isBad = tone === 'bad';
  const Icon = isBad ? CircleAlert : Info;
  return (
    <div
      role={isBad ? 'alert' : undefined}
      className={cn(
        'flex gap-3 rounded-lg border p-3.5',
        isBad ? 'border-bad/30 bg-bad-soft' : 'border-line bg-sunken',
        className,
      )}
    >
      <Icon aria-hidden className={cn('mt-0.5 size-4.5 shrink-0', isBad ? 'text-bad' : 'text-ink-3')} />
      <div>
        {title && <p className="font-semibold">{title}</p>}
        <p className="text-pretty text-ink-2">{text}</p>
      </div>
    </div>
  );
}
