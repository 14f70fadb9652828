import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const WORTHWHILE = /\.(css|html|js|json|svg|txt|webmanifest)$/;

/** Writes a brotli and a gzip form beside each file that is smaller so: the binary sends them as they are. */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    // Only then are the files of `public/` there too.
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !WORTHWHILE.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        const plain = readFileSync(file);
        const forms = {
          br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
          gz: gzipSync(plain, { level: 9 }),
        };
        for (const [ending, bytes] of Object.entries(forms)) {
          if (bytes.length < plain.length) writeFileSync(`${file}.${ending}`, bytes);
        }
      }
    },
  };
}
