import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ui = path.resolve(import.meta.dirname, '..');

it('the types of the API are those of docs/openapi.json; `npm run api` makes them anew', { timeout: 120_000 }, () => {
  const tool = path.join(ui, 'node_modules/openapi-typescript/bin/cli.js');
  const options = [tool, '../docs/openapi.json', '--empty-objects-unknown'];
  const fresh = execFileSync(process.execPath, options, { cwd: ui, encoding: 'utf8' });
  const kept = readFileSync(path.join(ui, 'src/shared/api/schema.ts'), 'utf8');
  expect(kept.trim() === fresh.trim(), 'src/shared/api/schema.ts is stale: run `npm run api`').toBe(true);
});
