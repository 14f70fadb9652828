import { onlineManager } from '@tanstack/react-query';
import { vi } from 'vitest';

// Files share a process. Each begins with modules of its own, and without what the last one left behind.
vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
onlineManager.setOnline(true);

if (typeof window !== 'undefined') {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  // What jsdom does not have.
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
}
