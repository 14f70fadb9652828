/** The path to show after sign-in. Anything but a path on this site becomes the front page. */
export function returnPath(asked: string | undefined): string {
  if (!asked?.startsWith('/') || /^\/[/\\]/.test(asked)) return '/';
  // Browsers drop tabs and line ends and read `\` as `/`: such a path could lead to another site.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant
  if (/[\u0000-\u0020\\]/.test(asked)) return '/';
  const page = new URL(asked, 'https://here.invalid');
  const isOurs = page.origin === 'https://here.invalid';
  return isOurs && !['/sign-in', '/setup'].includes(page.pathname) ? asked : '/';
}
