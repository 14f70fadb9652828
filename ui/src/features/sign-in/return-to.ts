/** Where to go after signing in: a path on this site, whatever the address says; else the front page. */
export function returnPath(asked: string | undefined): string {
  if (!asked?.startsWith('/') || /^\/[/\\]/.test(asked)) return '/';
  // Browsers leave out tabs and line ends, and read `\` as `/`; whoever writes those means no good.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant
  if (/[\u0000-\u0020\\]/.test(asked)) return '/';
  const page = new URL(asked, 'https://here.invalid');
  const isOurs = page.origin === 'https://here.invalid';
  return isOurs && !['/sign-in', '/setup'].includes(page.pathname) ? asked : '/';
}
