import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';

/** Not part of what is needed without a connection: pictures that only an installing browser asks for. */
const LEFT_OUT = /^\/(icon-maskable-512|icon-512|screenshot-.*)\.png$/;

/**
 * Builds `src/worker/worker.ts` to `/sw.js`, after everything else: it names all files of this build, and a mark that changes
 * when any of them does, so that browsers see a new worker exactly when there is something new.
 */
export function serviceWorker(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    async writeBundle(_, bundle) {
      const mark = createHash('sha256');
      const files = new Map(
        Object.values(bundle).map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
      );
      for (const name of readdirSync(config.publicDir)) {
        files.set(`/${name}`, readFileSync(path.join(config.publicDir, name)));
      }
      const shell = [...files.keys()].filter((name) => !LEFT_OUT.test(name)).sort();
      for (const name of shell) mark.update(name).update(files.get(name) ?? '');
      await build({
        configFile: false,
        root: config.root,
        logLevel: 'warn',
        mode: config.mode,
        resolve: { alias: config.resolve.alias },
        define: { SHELL: JSON.stringify(shell), VERSION: JSON.stringify(mark.digest('hex').slice(0, 16)) },
        publicDir: false,
        build: {
          target: config.build.target,
          outDir: config.build.outDir,
          emptyOutDir: false,
          modulePreload: false,
          reportCompressedSize: false,
          rolldownOptions: {
            input: path.resolve(config.root, 'src/worker/worker.ts'),
            // Classic, not a module: all browsers know such workers.
            output: { format: 'iife', entryFileNames: 'sw.js' },
          },
        },
      });
    },
  };
}
