/** Browsers by a part of their user agent. Browsers that also name another one come first. */
const browsers: readonly [sign: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: readonly [sign: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const first = (list: typeof browsers, text: string) => list.find(([sign]) => sign.test(text))?.[1];

/** "Firefox · Linux" from a user agent; null if nothing in it is known. */
export function browserName(userAgent: string): string | null {
  const found = [first(browsers, userAgent), first(systems, userAgent)].filter((name) => name !== undefined);
  return found.length > 0 ? found.join(' · ') : null;
}
