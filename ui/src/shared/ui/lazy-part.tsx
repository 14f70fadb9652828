import { type ComponentType, type FunctionComponent, Suspense, use, useCallback, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { checkConnection, useConnection } from '../lib/connection';
import { Problem } from '../lib/problem';
import { Store } from '../lib/store';
import { tryStorage } from '../lib/stored';
import { useStore } from '../lib/use-store';
import { Dialog, DialogBody } from './dialog';
import { ErrorState } from './error-state';

/** A part that has not arrived by then counts as failed. If it arrives later, the next try finds it in the browser. */
export const PART_DEADLINE_MS = 15_000;

/** Where the error is shown: as the whole page, as the content of `<main>`, or in a dialog that can be closed. */
type Place = 'whole' | 'page' | 'dialog';

type State<P> = { component?: ComponentType<P>; problem?: Problem };

type PartComponent<P> = FunctionComponent<P> & { preload: () => Promise<void> };

/**
 * A component whose code is loaded when it is first shown, or by `preload`. When the code does not arrive, an error with a
 * retry stands in its place. `React.lazy` keeps the first failure for good, and the router's lazy component reloads the page
 * even while the server is down, which leaves the browser's own error page.
 */
export function lazyPart<N extends string, P extends object>(
  load: () => Promise<{ readonly [name in N]: ComponentType<P> }>,
  name: N,
  place: Place,
): PartComponent<P> {
  const state = new Store<State<P>>({});
  let loading: Promise<void> | undefined;
  const set = (next: State<P>) => {
    loading = undefined;
    state.set(next);
  };
  const preload = () => {
    if (state.get().component) return Promise.resolve();
    loading ??= inTime(load()).then(
      (module) => set({ component: module[name] }),
      (cause) => set({ problem: new Problem({ status: 0, code: 'not_loaded', category: 'connection', cause }) }),
    );
    return loading;
  };
  const isLoaded = async () => {
    await preload();
    return state.get().component !== undefined;
  };
  function Part(props: P) {
    const { component: Component, problem } = useStore(state);
    if (Component) return <Component {...props} />;
    if (problem) return <Failed problem={problem} place={place} retry={isLoaded} onClose={closeOf(props)} />;
    use(preload());
    return null;
  }
  // Nothing is shown while a dialog loads, but keys are for it already. Routes have their own pending components.
  const InDialog = (props: P) => (
    <Suspense fallback={<span hidden data-dialog-loading />}>
      <Part {...props} />
    </Suspense>
  );
  return Object.assign(place === 'dialog' ? InDialog : Part, { preload });
}

function inTime<T>(loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the part did not arrive in time')), PART_DEADLINE_MS);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const closeOf = (props: object) => ('onClose' in props ? (props.onClose as () => void) : () => {});

type FailedProps = { problem: Problem; place: Place; retry: () => Promise<boolean>; onClose: () => void };

function Failed({ problem, place, retry, onClose }: FailedProps) {
  const { t } = useTranslation();
  const connection = useConnection();
  const recover = useCallback(
    async (mayReload: () => boolean, isAsked = false) => {
      // Reloading while the server is down would lose the page.
      if (!(await checkConnection(isAsked)) || (await retry())) return;
      // The server has a newer version without this part, or the browser remembers the failure.
      if (mayReload()) location.reload();
    },
    [retry],
  );
  useEffect(() => {
    if (connection === 'online') void recover(isFirstReload);
  }, [connection, recover]);
  const error = (
    <ErrorState error={problem} onRetry={() => void recover(() => true, true)} isPage={place !== 'dialog'} />
  );
  if (place === 'page') return error;
  if (place === 'whole') return <main>{error}</main>;
  return (
    <Dialog isOpen onClose={onClose} title={t('problems.not_loaded.title')}>
      <DialogBody>{error}</DialogBody>
    </Dialog>
  );
}

const RELOADED = 'kawaraban.reloaded';

/** The page reloads automatically once a minute at most, so that it never does so in a loop. */
function isFirstReload(): boolean {
  const last = tryStorage(() => Number(sessionStorage.getItem(RELOADED)));
  if (last === null || Date.now() - last < 60_000) return false;
  return tryStorage(() => sessionStorage.setItem(RELOADED, String(Date.now()))) !== null;
}
