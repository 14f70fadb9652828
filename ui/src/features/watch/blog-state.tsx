import { CircleCheck, CircleDashed, CircleStop, Moon, Replace, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WatchedBlog, WatchState } from '@/shared/api/watch';
import { cn } from '@/shared/lib/cn';
import { useNow } from '@/shared/lib/use-now';
import { Time } from '@/shared/ui/time';

const looks = {
  new: { Icon: CircleDashed, className: 'text-ink-3' },
  ok: { Icon: CircleCheck, className: 'text-ok' },
  quiet: { Icon: Moon, className: 'text-ink-2' },
  rebuilt: { Icon: Replace, className: 'text-warn' },
  failing: { Icon: TriangleAlert, className: 'text-warn' },
  stopped: { Icon: CircleStop, className: 'text-bad' },
} as const satisfies Record<WatchState, object>;

/** The state of a watched site in a word, with an icon. */
export function BlogState({ state }: { state: WatchState }) {
  const { t } = useTranslation('watch');
  const { Icon, className } = looks[state];
  return (
    <span className={cn('inline-flex items-center gap-1.5 font-normal text-sm', className)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {t(`states.${state}`)}
    </span>
  );
}

/** A fact of a watched site and its name. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="shrink-0 text-ink-3">{name}</dt>
      <dd className="tabular min-w-0 text-ink-2 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** How it is checked. */
export function SourceFact({ blog }: { blog: WatchedBlog }) {
  const { t } = useTranslation('watch');
  return <Fact name={t('source')}>{blog.source ? t(`sources.${blog.source}`) : t('noSource')}</Fact>;
}

/** When it last changed, and when it is checked next. */
export function TimeFacts({ blog }: { blog: WatchedBlog }) {
  const { t } = useTranslation('watch');
  const now = useNow();
  return (
    <>
      <Fact name={t('lastChange')}>
        {blog.last_change_at ? <Time at={blog.last_change_at} style="long" /> : t('noChange')}
      </Fact>
      <Fact name={t('nextCheck')}>
        {blog.state === 'stopped' ? (
          t('stopped')
        ) : Date.parse(blog.next_check_at) <= now ? (
          t('soon')
        ) : (
          <Time at={blog.next_check_at} style="long" />
        )}
      </Fact>
    </>
  );
}
