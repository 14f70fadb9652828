import { onlineManager } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiUrl } from '../lib/api-url';
import { checkConnection, wasHeard } from '../lib/connection';
import type { Schema } from './client';

/** The events of the server, with their data. */
export type ServerEvents = {
  hello: Schema<'HelloView'>;
  counters: Schema<'CounterView'>;
  items: Schema<'NewItemsView'>;
  feed: Schema<'FeedStateView'>;
  subscriptions: Schema<'SubscriptionChangesView'>;
};
type EventName = keyof ServerEvents;
const names = Object.keys({
  hello: 0,
  counters: 0,
  items: 0,
  feed: 0,
  subscriptions: 0,
} satisfies Record<EventName, 0>) as EventName[];

const handlers = new Map<EventName, Set<(data: never) => void>>();

/** Calls back for an event of the server. Returns a function that ends it. */
export function onServerEvent<Name extends EventName>(
  name: Name,
  handler: (data: ServerEvents[Name]) => void,
): () => void {
  const all = handlers.get(name) ?? new Set();
  handlers.set(name, all.add(handler));
  return () => all.delete(handler);
}

/** What the leading tab passes on: events, and whether it is connected. `joined` asks for another `hello`. */
type Message = { name: EventName | 'open' | 'error' | 'joined'; data?: unknown };

function receive({ name, data }: Message): void {
  if (name === 'open') void wasHeard();
  else if (name === 'error') void checkConnection();
  else if (name !== 'joined') for (const handler of handlers.get(name) ?? []) handler(data as never);
}

/** Connects to the events of the server while a component is mounted. All tabs of a browser share one connection. */
export function useServerEvents(): void {
  useEffect(() => {
    const locks = navigator.locks as LockManager | undefined;
    if (!locks || !('BroadcastChannel' in window)) return openStream(receive).close;
    const channel = new BroadcastChannel('kawaraban.events');
    const end = new AbortController();
    let stream: ReturnType<typeof openStream> | undefined;
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.name !== 'joined') receive(data);
      else stream?.restart();
    };
    // The tab with the lock has the connection. When it closes, another tab gets the lock.
    const lead = async () => {
      stream = openStream((message) => {
        receive(message);
        channel.postMessage(message);
      });
      await new Promise((resolve) => end.signal.addEventListener('abort', resolve));
    };
    locks.request('kawaraban.events', { signal: end.signal }, lead).catch(() => {});
    channel.postMessage({ name: 'joined' } satisfies Message);
    return () => {
      end.abort();
      stream?.close();
      channel.close();
    };
  }, []);
}

/** An event stream that reconnects where browsers give up. */
function openStream(onMessage: (message: Message) => void) {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const connect = () => {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(apiUrl('/api/events'), { withCredentials: true });
    source.addEventListener('open', () => onMessage({ name: 'open' }));
    for (const name of names) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        failures = 0;
        onMessage({ name, data: JSON.parse(data) });
      });
    }
    source.addEventListener('error', () => {
      onMessage({ name: 'error' });
      if (source.readyState === EventSource.CLOSED)
        timer = setTimeout(connect, Math.min(2_000 * 2 ** failures++, 60_000));
    });
  };
  connect();
  const stop = onlineManager.subscribe((isOnline) => {
    if (isOnline && source.readyState === EventSource.CLOSED) connect();
  });
  return {
    restart: connect,
    close: () => {
      stop();
      clearTimeout(timer);
      source.close();
    },
  };
}
