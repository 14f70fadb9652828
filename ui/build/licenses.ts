import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, ResolvedConfig } from 'vite';

/** Packages that leave code in the pages without being modules of them: styles, and the few lines that load parts. */
const WITHOUT_MODULES = ['tailwindcss', 'vite', 'rolldown'];

/** Files with licences and notices. */
const TEXT = /^(licen[cs]e|copying|copyright|notice|unlicense)[^.]*(\.(md|txt|mit))?$/i;

type Manifest = {
  name: string;
  version: string;
  license?: string;
  repository?: string | { url: string };
};
type Package = { name: string; version: string; license: string; repository: string | null; texts: string[] };

/** The same shape as `NoticesView` of the API. */
export type Notices = { packages: (Omit<Package, 'texts'> & { texts: number[] })[]; texts: string[] };

/** The folder of the package that a module belongs to; none for our own modules. */
export function packageFolder(module: string): string | undefined {
  return /^.*\/node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(module.split('?')[0] ?? '')?.[0];
}

/** An address to open in a browser, from what npm allows in a manifest. */
export function repositoryUrl(repository: Manifest['repository']): string | null {
  const written = typeof repository === 'string' ? repository : repository?.url;
  if (!written) return null;
  const url = written
    .replace(/^git\+/, '')
    .replace(/^git:\/\//, 'https://')
    .replace(/\.git$/, '');
  return /^https?:/.test(url) ? url : `https://github.com/${url.replace(/^github:/, '')}`;
}

function readPackage(folder: string): Package {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) =>
      readFileSync(path.join(folder, entry.name), 'utf8')
        .replace(/[ \t\r]+$/gm, '')
        .trim(),
    );
  return {
    name: manifest.name,
    version: manifest.version,
    license: manifest.license ?? 'unknown',
    repository: repositoryUrl(manifest.repository),
    texts,
  };
}

/** The packages in these folders, and each text once. */
export function collectNotices(folders: Iterable<string>): Notices {
  const packages = [...folders].map(readPackage);
  // Packages that are published without a text get the texts of another package of their repository.
  for (const one of packages.filter(({ texts }) => texts.length === 0)) {
    const neighbour = packages.find(({ repository, texts }) => repository === one.repository && texts.length > 0);
    one.texts = neighbour?.texts ?? [];
  }
  packages.sort((a, b) => (a.name < b.name ? -1 : 1));
  const texts = [...new Set(packages.flatMap((one) => one.texts))].sort();
  return { packages: packages.map((one) => ({ ...one, texts: one.texts.map((text) => texts.indexOf(text)) })), texts };
}

/** Writes `licenses.json.gz` beside the pages: the packages in them. The binary takes it in, but does not serve it as a file. */
export function licenses(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'licenses',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const folders = new Set(WITHOUT_MODULES.map((name) => path.join(config.root, 'node_modules', name)));
      for (const folder of modules.map(packageFolder)) if (folder) folders.add(folder);
      const notices = collectNotices(folders);
      for (const { name } of notices.packages.filter(({ texts }) => texts.length === 0)) {
        this.error(`${name} has no licence text`);
      }
      const file = path.resolve(config.root, config.build.outDir, 'licenses.json.gz');
      writeFileSync(file, gzipSync(JSON.stringify(notices), { level: 9 }));
    },
  };
}
