import { exactTime, relativeTime } from '../i18n/time';
import { useLanguage } from '../i18n/use-language';
import { useNow } from '../lib/use-now';

/** When something was, as people say it; exactly, on hover. */
export function Time({ at, style = 'short', className }: { at: string; style?: 'short' | 'long'; className?: string }) {
  const language = useLanguage();
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at, language)} className={className}>
      {relativeTime(at, now, language, style)}
    </time>
  );
}
