import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { exactTime } from '../i18n/time';
import { useLanguage } from '../i18n/use-language';
import { showsBookmarkCounts } from '../preferences/preferences';
import { usePreferences } from '../preferences/storage';

/** What all rows need, looked up once: doing it in each row took longer than drawing the row. */
export type RowWords = ReturnType<typeof useRowWords>;

/** Where the time goes in words that are looked up once. */
const TIME = '\u{fffc}';

export function useRowWords() {
  const { t } = useTranslation('reading');
  const language = useLanguage();
  const hasBookmarks = showsBookmarkCounts(usePreferences());
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
      hasBookmarks,
      bookmarks: (count: number) => t('list.bookmarks', { count }),
      estimated: (at: string) => estimated.replace(TIME, exactTime(at, language)),
    };
  }, [t, language, hasBookmarks]);
}
