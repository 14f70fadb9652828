/** Steps of relative time: up to how many seconds, in which unit. */
const steps: readonly [limit: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [7 * 86_400, 'day', 86_400],
];

/** "3 hours ago", "3 時間前"; a date for what is more than a week away. */
export function relativeTime(at: string, now: number, language: string, style: 'short' | 'long' = 'short'): string {
  const time = Date.parse(at);
  const seconds = Math.round((time - now) / 1000);
  const format = relativeFormat(language, style);
  for (const [limit, unit, size] of steps) {
    if (Math.abs(seconds) < limit) return format.format(unit === 'second' ? 0 : Math.trunc(seconds / size), unit);
  }
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return dateFormat(language, isThisYear ? undefined : 'numeric').format(time);
}

/** The exact time in the reader's own time zone, for tooltips. */
export function exactTime(at: string, language: string): string {
  return exactFormat(language).format(Date.parse(at));
}

/** How the reader's own region writes dates and times, where the browser is set to the language of the page. */
export function localeOf(language: string): string {
  return globalThis.navigator?.languages?.find((tag) => tag.startsWith(`${language}-`)) ?? language;
}

// Making one takes longer than drawing the row that it is for: each is made once.
const relativeFormat = once(
  (language: string, style: 'short' | 'long') =>
    new Intl.RelativeTimeFormat(language, { style: style === 'short' ? 'narrow' : style, numeric: 'auto' }),
);
const dateFormat = once(
  (language: string, year: 'numeric' | undefined) =>
    new Intl.DateTimeFormat(localeOf(language), { year, month: 'short', day: 'numeric' }),
);
const exactFormat = once(
  (language: string) => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'full', timeStyle: 'short' }),
);

/** The same answer for the same words, made only the first time. */
function once<A extends (string | undefined)[], T>(make: (...args: A) => T): (...args: A) => T {
  const made = new Map<string, T>();
  return (...args) => {
    const key = args.join();
    const kept = made.get(key) ?? make(...args);
    made.set(key, kept);
    return kept;
  };
}
