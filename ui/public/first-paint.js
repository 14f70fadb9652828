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
    kept.theme === 'dark' || (kept.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = isDark ? 'dark' : 'light';
  const language = kept.language ?? navigator.language;
  root.lang = language.startsWith('ja') ? 'ja' : 'en';
  document.querySelector('meta[name=theme-color]').content = isDark ? '#12100c' : '#f3eee3';
})();
