// Nothing goes wrong unnoticed: what a browser complains about fails the story, unless the story said that it would.

import { type BrowserContext, expect, type Page } from '@playwright/test';

export class Watch {
  readonly #complaints: string[] = [];
  readonly #expected: RegExp[] = [];

  constructor(context: BrowserContext) {
    // What the content security policy stops is among these, too.
    context.on('console', (message) => {
      if (message.type() !== 'error' || isOfOrigin(message.page())) return;
      this.#complaints.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => {
      if (!isOfOrigin(error.page())) this.#complaints.push(String(error.error().stack ?? error.error()));
    });
  }

  /** Says that complaints like this one belong to the story. */
  expect(...complaints: RegExp[]): void {
    this.#expected.push(...complaints);
  }

  check(): void {
    const unexpected = this.#complaints.filter((text) => !this.#expected.some((known) => known.test(text)));
    expect(unexpected, 'the browser complained').toEqual([]);
  }
}

/** Whether it is a page that feeds link to: the desk is found by its name, origins by their address. */
function isOfOrigin(page: Page | null): boolean {
  return page?.url().startsWith('http://127.0.0.1') ?? false;
}
