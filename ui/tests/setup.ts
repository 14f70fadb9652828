import { vi } from 'vitest';

// What jsdom does not have.
if (typeof window !== 'undefined') {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
}
