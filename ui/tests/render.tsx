import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { afterEach } from 'vitest';
import { startWords } from '@/shared/i18n/i18n';

afterEach(cleanup);
// Only a bound for a condition that never comes true: on a busy machine the default of one second is too short.
configure({ asyncUtilTimeout: 30_000 });

/** Starts the words; before a feature's `words.ts` is imported. */
if (!i18next.isInitialized) startWords();

/** Renders a component with what every page has around it. */
export function renderUi(node: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrap = (node: ReactNode) => <QueryClientProvider client={client}>{node}</QueryClientProvider>;
  const { rerender, ...rest } = render(wrap(node));
  return { client, ...rest, rerender: (node: ReactNode) => rerender(wrap(node)) };
}

/** A server in place of the real one: what it is asked is kept, what it says is up to the test. */
export function answerWith(answer: (request: Request) => Response | Promise<Response>): { asked: Request[] } {
  const asked: Request[] = [];
  globalThis.fetch = async (input) => {
    const request = input as Request;
    asked.push(request.clone());
    return answer(request);
  };
  return { asked };
}
