/** Steps of relative time: up to how many seconds, in which unit. */
const steps: readonly [limit: number, unit: Unit, seconds: number][] = [
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [7 * 86_400, 'day', 86_400],
];

type Unit = 'minute' | 'hour' | 'day';

/** "3 hours ago", "3 時間前"; a date if it is more than a week away. */
export function relativeTime(at: string, now: number, language: string, style: 'short' | 'long' = 'short'): string {
  const time = Date.parse(at);
  const seconds = Math.round((time - now) / 1000);
  const words = language === 'ja' ? ja : en;
  if (Math.abs(seconds) < 60) return words.now;
  for (const [limit, unit, size] of steps) {
    if (Math.abs(seconds) >= limit) continue;
    const count = Math.trunc(seconds / size);
    if (style === 'long') return longFormat(language).format(count, unit);
    return (unit === 'day' && words.days[count]) || words.short(Math.abs(count), unit, count < 0);
  }
  const date = new Date(time);
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return words.date(date.getMonth(), date.getDate(), isThisYear ? null : date.getFullYear());
}

// The short words of lists. They are the same as those of `Intl`, whose first use takes longer than drawing a list. A test
// compares them.
type Words = {
  now: string;
  days: Readonly<Record<number, string>>;
  short: (count: number, unit: Unit, isPast: boolean) => string;
  date: (month: number, day: number, year: number | null) => string;
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH_FIRST = ['en', 'en-US', 'en-CA', 'en-PH'];

const en: Words = {
  now: 'now',
  days: { [-1]: 'yesterday', 1: 'tomorrow' },
  short: (count, unit, isPast) => (isPast ? `${count}${unit[0]} ago` : `in ${count}${unit[0]}`),
  date: (month, day, year) =>
    MONTH_FIRST.includes(localeOf('en'))
      ? `${MONTHS[month]} ${day}${year === null ? '' : `, ${year}`}`
      : `${day} ${MONTHS[month]}${year === null ? '' : ` ${year}`}`,
};

const ja: Words = {
  now: '今',
  days: { [-2]: '一昨日', [-1]: '昨日', 1: '明日', 2: '明後日' },
  short: (count, unit, isPast) => `${count}${{ minute: '分', hour: '時間', day: '日' }[unit]}${isPast ? '前' : '後'}`,
  date: (month, day, year) => `${year === null ? '' : `${year}年`}${month + 1}月${day}日`,
};

/** The exact time in the reader's own time zone, for tooltips. */
export function exactTime(at: string, language: string): string {
  return exactFormat(language).format(Date.parse(at));
}

/** The day of a time, as `style` writes it. */
export const dateText = (at: string | Date, language: string, style: 'long' | 'medium'): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: style }).format(new Date(at));

/** The browser's locale for the language of the page, for dates and times of the user's region. */
export function localeOf(language: string): string {
  return globalThis.navigator?.languages?.find((tag) => tag.startsWith(`${language}-`)) ?? language;
}

// Formats are slow to create: one for each language.
const longFormat = once((language: string) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
const exactFormat = once(
  (language: string) => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'full', timeStyle: 'short' }),
);

/** Creates a value once for each language. */
function once<T>(make: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>();
  return (language) => {
    const kept = made.get(language) ?? make(language);
    made.set(language, kept);
    return kept;
  };
}
