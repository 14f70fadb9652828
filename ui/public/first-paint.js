// Runs before anything is painted, so that the page never flashes in the wrong theme. Small, classic and in a file of its own:
// the content security policy allows no script inside the page. It reads what src/shared/preferences/storage.ts writes.
(() => {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem('kawaraban.preferences') ?? '{}') ?? {};
  } catch {
    // Private windows may have no storage; the defaults will do.
  }
  const root = document.documentElement;
  const isDark =
    kept.theme === 'dark' || (kept.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = isDark ? 'dark' : 'light';
  const language = kept.language ?? navigator.language;
  root.lang = language.startsWith('ja') ? 'ja' : 'en';
  document.querySelector('meta[name=theme-color]').content = isDark ? '#12100c' : '#f3eee3';

  // Whoever was here last is most likely here again: what the first list needs is asked for while the client is still on its
  // way. src/shared/api/early.ts takes the answers over. `data-api` says that the API is elsewhere.
  let isKnown = false;
  try {
    isKnown = localStorage.getItem('kawaraban.owner') !== null && root.dataset.api === undefined;
  } catch {
    // As above.
  }
  const place = /^\/(?:(feeds|folders)\/([0-9a-f-]+))?$/.exec(location.pathname);
  if (!isKnown || !place) return;
  const [, kind, id] = place;
  const search = new URLSearchParams(location.search);
  const what = `filter=${search.get('filter') ?? 'all'}&order=${search.get('order') ?? 'newest'}`;
  const items =
    kind === 'feeds' ? `/api/feeds/${id}/items?${what}` : `/api/items?${what}${kind ? `&folder=${id}` : ''}`;
  const headers = { 'accept-language': root.lang };
  window.kawarabanEarly = new Map(
    ['/api/users/me', '/api/subscriptions', '/api/folders', items].map((path) => {
      const answer = fetch(path, { headers });
      // Nobody may ever ask for it.
      answer.catch(() => {});
      return [path, { answer, language: root.lang, at: Date.now() }];
    }),
  );
})();
