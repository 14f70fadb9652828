// What a browser's main thread did, out of a trace. Times are of the thread's own processor time where the browser tells it: on a
// busy machine the clock on the wall says little.

import type { Browser, Page } from '@playwright/test';

type Event = {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: any;
};

export type Work = {
  /** Work of the main thread from one frame to the next, in milliseconds, in ascending order. */
  frames: number[];
  /** All of it, in milliseconds. */
  total: number;
  longest: number;
  layouts: number;
  styles: number;
};

const CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
];

/** The work of a page's main thread while something is done. */
export async function workOf(browser: Browser, page: Page, what: () => Promise<unknown>): Promise<Work> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await what();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Event[] };
  return sum(mainThread(traceEvents));
}

/** Of all threads with a page, the one that worked most. */
function mainThread(events: Event[]): Event[] {
  const keyOf = ({ pid, tid }: Event) => `${pid} ${tid}`;
  const mains = new Map<string, Event[]>();
  for (const event of events) {
    if (event.name === 'thread_name' && event.args?.name === 'CrRendererMain') mains.set(keyOf(event), []);
  }
  for (const event of events) mains.get(keyOf(event))?.push(event);
  const total = (all: Event[]) => all.filter(isTask).reduce((sum, task) => sum + taken(task), 0);
  return [...mains.values()].sort((a, b) => total(b) - total(a))[0] ?? [];
}

const isTask = ({ name, ph }: Event) => name === 'RunTask' && ph === 'X';
const taken = ({ tdur, dur = 0 }: Event) => (tdur ?? dur) / 1000;

function sum(events: Event[]): Work {
  const tasks = events.filter(isTask).sort((a, b) => a.ts - b.ts);
  const starts = events.filter(({ name }) => name === 'BeginMainThreadFrame').map(({ ts }) => ts);
  starts.sort((a, b) => a - b);
  const frames = starts.map(() => 0);
  let frame = -1;
  for (const task of tasks) {
    while (frame + 1 < starts.length && (starts[frame + 1] ?? 0) <= task.ts) frame += 1;
    if (frame >= 0) frames[frame] = (frames[frame] ?? 0) + taken(task);
  }
  const count = (wanted: string) =>
    events.filter(({ name, ph }) => name === wanted && (ph === 'X' || ph === 'B')).length;
  return {
    frames: frames.sort((a, b) => a - b),
    total: tasks.reduce((all, task) => all + taken(task), 0),
    longest: Math.max(0, ...tasks.map(taken)),
    layouts: count('Layout'),
    styles: count('UpdateLayoutTree'),
  };
}

/** The value below which this part of all values is. Throws without values: a trace without frames keeps no budget. */
export function quantile(ascending: number[], part: number): number {
  const value = ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * part))];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

export const ms = (value: number) => `${value.toFixed(value < 20 ? 1 : 0)} ms`;

/** Collects the budgets that a run misses. */
export class BudgetCheck {
  #missed: string[] = [];

  hold(name: string, value: number, budget: number): void {
    if (!(value <= budget)) this.#missed.push(`${name}: ${ms(value)}, the budget is ${ms(budget)}`);
  }

  /** Throws if a budget was missed. */
  verify(): void {
    if (this.#missed.length > 0) throw new Error(`budgets missed\n${this.#missed.join('\n')}`);
  }
}

export function median(values: number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
