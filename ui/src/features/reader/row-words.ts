import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { exactTime } from '@/shared/i18n/time';
import { useLanguage } from '@/shared/i18n/use-language';

/** What rows say. Looked up once for all of them: asking for words anew in each row took longer than drawing it. */
export type RowWords = ReturnType<typeof useRowWords>;

/** Where the time goes in words that are looked up once. */
const TIME = '\u{fffc}';

export function useRowWords() {
  const { t } = useTranslation('reading');
  const language = useLanguage();
  return useMemo(() => {
    const estimated = t('list.estimated', { time: TIME });
    return {
      language,
      untitled: t('list.untitled'),
      unread: t('list.unread'),
      markRead: t('list.markRead'),
      markUnread: t('list.markUnread'),
      star: t('list.star'),
      unstar: t('list.unstar'),
      bookmarksUnknown: t('list.bookmarksUnknown'),
      bookmarks: (count: number) => t('list.bookmarks', { count }),
      estimated: (at: string) => estimated.replace(TIME, exactTime(at, language)),
    };
  }, [t, language]);
}
