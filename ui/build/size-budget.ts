import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

type Chunk = { fileName: string; code: string; imports: string[]; isEntry: boolean; facadeModuleId: string | null };

/** Everything that the browser must have before this file can run. */
function needs(file: string, chunks: Map<string, Chunk>, seen = new Set<string>()): Set<string> {
  const chunk = chunks.get(file);
  if (!chunk || seen.has(file)) return seen;
  seen.add(file);
  for (const next of chunk.imports) needs(next, chunks, seen);
  return seen;
}

/**
 * Fails the build when a page's first load is more JavaScript, gzipped, than the budget. A first load is what the entry
 * needs, what the layout around the page needs, and what the heaviest page needs.
 */
export function sizeBudget({ kilobytes }: { kilobytes: number }): Plugin {
  return {
    name: 'size-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = new Map<string, Chunk>();
      for (const file of Object.values(bundle)) if (file.type === 'chunk') chunks.set(file.fileName, file);
      const gzipped = new Map([...chunks].map(([name, chunk]) => [name, gzipSync(chunk.code).length]));
      const all = [...chunks.values()];
      const always = new Set<string>();
      for (const chunk of all) {
        const isLayout = chunk.facadeModuleId?.endsWith('/src/app/layout.tsx');
        if (chunk.isEntry || isLayout) needs(chunk.fileName, chunks, always);
      }
      const pages = all.filter((chunk) => /\/src\/features\/[^/]+\/[^/]+-page\.tsx$/.test(chunk.facadeModuleId ?? ''));
      const loads = pages.map((page) => {
        const files = needs(page.fileName, chunks, new Set(always));
        const bytes = [...files].reduce((sum, file) => sum + (gzipped.get(file) ?? 0), 0);
        return { page: page.facadeModuleId?.split('/').at(-1) ?? page.fileName, kilobytes: bytes / 1000 };
      });
      if (loads.length === 0) this.error('no page was found to weigh: has src/features/*/*-page.tsx moved?');
      loads.sort((a, b) => b.kilobytes - a.kilobytes);
      for (const load of loads)
        this.info(`first load of ${load.page}: ${load.kilobytes.toFixed(1)} kB of JavaScript, gzipped`);
      const heaviest = loads[0];
      if (heaviest && heaviest.kilobytes > kilobytes) {
        this.error(
          `${heaviest.page} needs ${heaviest.kilobytes.toFixed(1)} kB of JavaScript at first load; ${kilobytes} are allowed`,
        );
      }
    },
  };
}
