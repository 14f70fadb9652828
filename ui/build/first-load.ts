import type { Plugin } from 'vite';

/** What nearly everybody looks at first, though the entry asks for it only when it runs. */
const FIRST = /\/src\/(app\/layout|features\/reader\/reader-page)\.tsx$/;

/**
 * Names the files of the first list in the page itself, so that browsers fetch all of them at once and not one after the other;
 * and says there if the API is at another origin, for public/first-paint.js.
 */
export function firstLoad(): Plugin {
  let isElsewhere = false;
  return {
    name: 'first-load',
    apply: 'build',
    configResolved({ env }) {
      isElsewhere = Boolean(env.VITE_API_URL);
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = new Set<string>();
        const add = (name: string) => {
          const chunk = bundle[name];
          if (chunk?.type !== 'chunk' || files.has(name)) return;
          files.add(name);
          for (const next of chunk.imports) add(next);
        };
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk' && FIRST.test(chunk.facadeModuleId ?? '')) add(chunk.fileName);
        }
        const tags = [...files]
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          }));
        return { html: isElsewhere ? html.replace('<html ', '<html data-api="elsewhere" ') : html, tags };
      },
    },
  };
}
