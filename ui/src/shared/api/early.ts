declare global {
  interface Window {
    /** Requests that public/first-paint.js has sent, by path. */
    kawarabanEarly?: Map<string, { answer: Promise<Response>; language: string; at: number }>;
  }
}

/** How long such an answer counts as fresh. */
const FRESH_MS = 10_000;

/** The answer to a request that was sent before the client had loaded. Each is used once. */
export function takeEarly({ method, url, headers }: Request): Promise<Response> | undefined {
  const { pathname, search, origin } = new URL(url);
  const path = `${pathname}${search}`;
  const early = globalThis.window?.kawarabanEarly;
  const found = method === 'GET' && origin === location.origin ? early?.get(path) : undefined;
  if (!found || !early) return undefined;
  early.delete(path);
  const isSame = found.language === headers.get('accept-language') && Date.now() - found.at < FRESH_MS;
  return isSame ? found.answer : undefined;
}
